//! Waiting for what a window shows, and for what the hands of a person wait for.

use std::fmt::Write;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{APPEARING, Window};

/// In a script: waits until the page is drawn as it is now.
const DRAWN: &str = "await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));";

impl Window {
    /// Waits until a script returns true.
    pub async fn wait_for(&self, what: &str, script: &str) {
        self.wait_long(APPEARING, what, script).await;
    }

    /// Waits so long until a script returns true.
    pub async fn wait_long(&self, time_limit: Duration, what: &str, script: &str) {
        let started = Instant::now();
        while self.client.execute(script, Vec::new()).await.ok() != Some(Value::Bool(true)) {
            if started.elapsed() > time_limit {
                let mut report = format!("waited in vain: {what}\n");
                let _ = write!(report, "{}", self.text("return document.body.innerText").await);
                panic!("{report}");
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits until a script returns 0, as long as what it counts becomes less: how much time a long walk takes is for no
    /// test to say.
    pub async fn wait_down(&self, what: &str, script: &str) {
        let (mut left, mut since) = (u64::MAX, Instant::now());
        loop {
            match self.client.execute(script, Vec::new()).await.ok().and_then(|count| count.as_u64()) {
                Some(0) => return,
                Some(now) if now < left => (left, since) = (now, Instant::now()),
                _ if since.elapsed() < APPEARING => {}
                _ => panic!("waited in vain: {what}, {left} are left\n{}", self.text("return document.body.innerText").await),
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits until the hotkey is heard, which begins a little after the window is there.
    pub async fn hotkey_works(&self) {
        let started = Instant::now();
        let ask = "const done = arguments[0]; window.__TAURI__.core.invoke('desktop').then((view) => done(view.hotkey.state))";
        loop {
            let state = self.client.execute_async(ask, vec![]).await.ok();
            if state == Some(Value::String("works".into())) {
                return;
            }
            assert!(started.elapsed() < APPEARING, "the hotkey is {state:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits until what is typed goes into the question field of the popup.
    pub async fn popup_has_focus(&self) {
        self.wait_for("the question has the focus", "return document.hasFocus() && document.activeElement.id === 'question'").await;
    }

    /// Waits until nothing on the page moves: what is on its way has other colours and places; what never ends is no way
    /// to anything.
    pub async fn comes_to_rest(&self) {
        let is_still = "return document.getAnimations().every((one) => one.playState !== 'running' || !Number.isFinite(one.effect.getComputedTiming().endTime))";
        self.wait_for("nothing moves", &format!("{DRAWN} {is_still}")).await;
    }

    /// Makes the window this wide and high, and waits until its page is.
    pub async fn resize(&self, width: u32, height: u32) {
        self.client.set_window_size(width, height).await.expect("the window changes its size");
        self.is_as_wide_as(width).await;
    }

    /// Waits until the page is about as wide as its window was made, with text of the usual or twice the usual size; frames of
    /// windows are narrower than this. The rules of a width hold only when the page is drawn: between, it is as wide as it is
    /// to be and laid out as it was before.
    pub async fn is_as_wide_as(&self, width: u32) {
        let is_wide = format!("{DRAWN} return [1, 2].some((zoom) => Math.abs(innerWidth * zoom - {width}) <= 100)");
        self.wait_for("the page has its size", &is_wide).await;
    }

    /// Loads the page again, and waits until it is another one and ready: what is pressed before may be somewhere else by
    /// the time of the press.
    pub async fn reload(&self) {
        self.eval("window.isOld = true").await;
        self.client.refresh().await.expect("the page loads again");
        self.wait_for("the page is new", "return !window.isOld && document.documentElement.dataset.ready === 'true'").await;
    }
}
