//! What every conversation must keep to.

use nexi_core::model::Message;

/// No call without its result, no result without its call, results in the order of their calls.
pub fn check_conversation(messages: &[Message]) {
    let mut open: Vec<&str> = Vec::new();
    for message in messages {
        match message {
            Message::Tool { call_id, .. } => {
                assert_eq!(open.first(), Some(&call_id.as_str()), "results come in order");
                open.remove(0);
            }
            Message::Assistant { calls, .. } => {
                assert!(open.is_empty());
                open = calls.iter().map(|call| call.id.as_str()).collect();
            }
            Message::System { .. } | Message::User { .. } => assert!(open.is_empty(), "calls without results: {open:?}"),
        }
    }
    assert!(open.is_empty());
}
