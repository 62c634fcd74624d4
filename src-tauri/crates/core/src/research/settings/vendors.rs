//! Services that answer questions and that many people use: one row each. A new service that speaks
//! one of the known wire formats is one row here and nothing else; settings, wizard, doctor, wiring,
//! command line and handbook read this table.

use serde::Serialize;
use ts_rs::TS;

use super::ProviderKind;

/// A service with a preset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
pub struct Vendor {
    /// Its name in the settings, in chains and on the command line.
    pub id: &'static str,
    /// Its name as people know it.
    pub label: &'static str,
    /// The wire format.
    #[serde(rename = "type")]
    pub kind: ProviderKind,
    /// Empty where everybody has an address of their own.
    pub base_url: &'static str,
    /// The variable its keys are in by convention; empty for services that want none.
    pub key_env: &'static str,
    /// The page on which its keys are made; empty for services that want none.
    pub key_page: &'static str,
    /// What its keys begin with, where that tells them from all others.
    pub key_prefix: &'static str,
    /// A model to begin with.
    pub model: &'static str,
    /// It runs on the person's own computer: nothing costs anything.
    pub local: bool,
    /// What its API does in another way than the wire format's first service.
    #[ts(skip)]
    #[serde(skip)]
    pub quirks: Quirks,
}

/// Known peculiarities of a service's API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Quirks {
    /// `stream_options` is refused; usage comes without it.
    pub no_stream_options: bool,
    /// The limit is called `max_completion_tokens`.
    pub completion_tokens: bool,
    /// Ids of calls are nine letters or digits.
    pub short_call_ids: bool,
    /// A user message may not follow a tool's result.
    pub no_user_after_tool: bool,
    /// How reasoning is asked for in chat completions.
    pub reasoning: ReasoningField,
    /// The key goes into the header `api-key` in place of `authorization`.
    pub api_key_header: bool,
    /// `/responses` is there, too.
    pub responses: bool,
    /// Whether messages of the assistant must bring their reasoning back.
    pub wants_reasoning: WantsReasoning,
}

/// Which messages of the assistant a service refuses without their `reasoning_content`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WantsReasoning {
    /// None; what was sent is sent back all the same.
    #[default]
    Never,
    /// Those with tool calls.
    WithCalls,
    /// All of them.
    Always,
}

/// How a service of chat completions is told how much to think.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReasoningField {
    /// `reasoning_effort`: `low`, `medium`, `high`; `none` where it can be switched off.
    #[default]
    Effort,
    /// `reasoning: {effort}` or `{enabled: false}`.
    Object,
    /// `thinking: {type}`: `enabled` or `disabled`, without levels.
    Toggle,
    /// `reasoning_effort` with `none` and `high` alone.
    NoneOrHigh,
    /// `chat_template_kwargs: {enable_thinking}`.
    Template,
    /// There is nothing of the kind.
    Nothing,
}

const PLAIN: Quirks = Quirks {
    no_stream_options: false,
    completion_tokens: false,
    short_call_ids: false,
    no_user_after_tool: false,
    reasoning: ReasoningField::Effort,
    api_key_header: false,
    responses: false,
    wants_reasoning: WantsReasoning::Never,
};

const fn with_reasoning(reasoning: ReasoningField) -> Quirks {
    Quirks { reasoning, ..PLAIN }
}

/// A service with an OpenAI-compatible address.
const fn compatible(id: &'static str, label: &'static str, base_url: &'static str) -> Vendor {
    Vendor {
        id,
        label,
        kind: ProviderKind::OpenaiCompatible,
        base_url,
        key_env: "",
        key_page: "",
        key_prefix: "",
        model: "",
        local: false,
        quirks: PLAIN,
    }
}

const fn local(id: &'static str, label: &'static str, base_url: &'static str, reasoning: ReasoningField) -> Vendor {
    Vendor { local: true, quirks: with_reasoning(reasoning), ..compatible(id, label, base_url) }
}

/// Every preset, in the order in which they are offered.
pub const VENDORS: &[Vendor] = &[
    Vendor {
        key_env: "OPENAI_API_KEY",
        key_page: "https://platform.openai.com/api-keys",
        key_prefix: "sk-proj-",
        model: "gpt-6-luna",
        quirks: Quirks { completion_tokens: true, responses: true, ..PLAIN },
        ..compatible("openai", "OpenAI", "https://api.openai.com/v1")
    },
    Vendor {
        kind: ProviderKind::Anthropic,
        key_env: "ANTHROPIC_API_KEY",
        key_page: "https://console.anthropic.com/settings/keys",
        key_prefix: "sk-ant-",
        model: "claude-haiku-5-5",
        ..compatible("anthropic", "Anthropic", "https://api.anthropic.com")
    },
    Vendor {
        kind: ProviderKind::Gemini,
        key_env: "GEMINI_API_KEY",
        key_page: "https://aistudio.google.com/apikey",
        key_prefix: "AIza",
        model: "gemini-3.8-flash",
        ..compatible("gemini", "Google Gemini", "https://generativelanguage.googleapis.com")
    },
    Vendor {
        key_env: "OPENROUTER_API_KEY",
        key_page: "https://openrouter.ai/settings/keys",
        key_prefix: "sk-or-",
        model: "openai/gpt-6-luna",
        quirks: with_reasoning(ReasoningField::Object),
        ..compatible("openrouter", "OpenRouter", "https://openrouter.ai/api/v1")
    },
    Vendor {
        key_env: "GROQ_API_KEY",
        key_page: "https://console.groq.com/keys",
        key_prefix: "gsk_",
        model: "openai/gpt-oss-120b",
        quirks: Quirks { completion_tokens: true, ..PLAIN },
        ..compatible("groq", "Groq", "https://api.groq.com/openai/v1")
    },
    Vendor {
        key_env: "MISTRAL_API_KEY",
        key_page: "https://console.mistral.ai/api-keys",
        model: "mistral-medium-latest",
        quirks: Quirks {
            no_stream_options: true,
            short_call_ids: true,
            no_user_after_tool: true,
            ..with_reasoning(ReasoningField::NoneOrHigh)
        },
        ..compatible("mistral", "Mistral", "https://api.mistral.ai/v1")
    },
    Vendor {
        key_env: "DEEPSEEK_API_KEY",
        key_page: "https://platform.deepseek.com/api_keys",
        model: "deepseek-flash",
        quirks: Quirks { wants_reasoning: WantsReasoning::Always, ..with_reasoning(ReasoningField::Toggle) },
        ..compatible("deepseek", "DeepSeek", "https://api.deepseek.com/v1")
    },
    Vendor {
        key_env: "XAI_API_KEY",
        key_page: "https://console.x.ai",
        key_prefix: "xai-",
        model: "grok-4.3",
        quirks: Quirks { responses: true, ..PLAIN },
        ..compatible("xai", "xAI", "https://api.x.ai/v1")
    },
    Vendor {
        key_env: "MOONSHOT_API_KEY",
        key_page: "https://platform.moonshot.ai/console/api-keys",
        model: "kimi-k2.6",
        quirks: Quirks { wants_reasoning: WantsReasoning::WithCalls, ..PLAIN },
        ..compatible("moonshot", "Moonshot (Kimi)", "https://api.moonshot.ai/v1")
    },
    Vendor {
        key_env: "ZAI_API_KEY",
        key_page: "https://z.ai/manage-apikey/apikey-list",
        model: "glm-5.3-flash",
        quirks: with_reasoning(ReasoningField::Toggle),
        ..compatible("zai", "Z.ai", "https://api.z.ai/api/paas/v4")
    },
    Vendor {
        key_env: "TOGETHER_API_KEY",
        key_page: "https://api.together.ai/settings/api-keys",
        key_prefix: "tgp_v1_",
        model: "openai/gpt-oss-120b",
        ..compatible("together", "Together", "https://api.together.ai/v1")
    },
    Vendor {
        key_env: "FIREWORKS_API_KEY",
        key_page: "https://app.fireworks.ai/settings/users/api-keys",
        key_prefix: "fw_",
        model: "accounts/fireworks/models/glm-5p3-flash",
        ..compatible("fireworks", "Fireworks", "https://api.fireworks.ai/inference/v1")
    },
    Vendor {
        key_env: "CEREBRAS_API_KEY",
        key_page: "https://cloud.cerebras.ai",
        key_prefix: "csk-",
        model: "gpt-oss-120b",
        quirks: Quirks { completion_tokens: true, ..PLAIN },
        ..compatible("cerebras", "Cerebras", "https://api.cerebras.ai/v1")
    },
    Vendor {
        key_env: "AZURE_OPENAI_API_KEY",
        key_page: "https://portal.azure.com",
        quirks: Quirks { completion_tokens: true, api_key_header: true, responses: true, ..PLAIN },
        ..compatible("azure", "Azure OpenAI", "")
    },
    Vendor { kind: ProviderKind::Ollama, model: "qwen3:8b", ..local("ollama", "Ollama", "http://localhost:11434", ReasoningField::Effort) },
    local("lmstudio", "LM Studio", "http://localhost:1234/v1", ReasoningField::Nothing),
    local("llamacpp", "llama.cpp", "http://localhost:8080/v1", ReasoningField::Template),
    local("vllm", "vLLM", "http://localhost:8000/v1", ReasoningField::Template),
    local("jan", "Jan", "http://localhost:1337/v1", ReasoningField::Nothing),
];

/// The name of a service as people know it, such as `Wikipedia` or, for `openai/some-model`, `OpenAI`. A name that a person
/// made up is returned as it is.
pub fn service_title(name: &str) -> &str {
    let id = name.split('/').next().unwrap_or(name);
    let vendor = Vendor::by_id(id).map(|vendor| vendor.label);
    vendor.or_else(|| ProviderKind::parse(id).map(ProviderKind::label)).unwrap_or(name)
}

impl Vendor {
    /// The service of this id.
    pub fn by_id(id: &str) -> Option<&'static Vendor> {
        VENDORS.iter().find(|vendor| vendor.id == id)
    }

    /// The programs of one's own computer, by the names that people know.
    pub fn local_labels() -> String {
        let labels: Vec<&str> = VENDORS.iter().filter(|vendor| vendor.local).map(|vendor| vendor.label).collect();
        labels.join(", ")
    }

    /// The service behind an address. Remote services are known by their exact host, those on this
    /// computer by their port, too; Azure's customers have hosts below two names of Azure's.
    pub fn by_address(address: &str) -> Option<&'static Vendor> {
        let url = url::Url::parse(address).ok()?;
        let host = url.host_str()?.to_ascii_lowercase();
        if host == "api.together.xyz" {
            return Vendor::by_id("together");
        }
        if [".openai.azure.com", ".services.ai.azure.com"].iter().any(|end| host.ends_with(end)) {
            return Vendor::by_id("azure");
        }
        let same = |vendor: &&Vendor| {
            let Ok(own) = url::Url::parse(vendor.base_url) else { return false };
            if vendor.local {
                is_loopback(&host) && own.port_or_known_default() == url.port_or_known_default()
            } else {
                own.host_str() == Some(&host)
            }
        };
        VENDORS.iter().find(same)
    }

    /// The service whose keys look like this one; none where that does not tell.
    pub fn by_key(key: &str) -> Option<&'static Vendor> {
        let key = key.trim();
        let fits = VENDORS.iter().filter(|vendor| !vendor.key_prefix.is_empty() && key.starts_with(vendor.key_prefix));
        if let Some(vendor) = fits.max_by_key(|vendor| vendor.key_prefix.len()) {
            return Some(vendor);
        }
        // Older keys of OpenAI's, and those of its service accounts.
        let openai = ["sk-svcacct-", "sk-admin-", "sk-None-"].iter().any(|prefix| key.starts_with(prefix))
            || (key.starts_with("sk-") && key.contains("T3BlbkFJ"));
        if openai { Vendor::by_id("openai") } else { None }
    }

    /// Whether it cannot be asked without a key.
    pub fn needs_key(&self) -> bool {
        !self.key_env.is_empty()
    }
}

/// Whether a host is this computer.
pub fn is_loopback(host: &str) -> bool {
    match url::Host::parse(host) {
        Ok(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Ok(url::Host::Ipv6(ip)) => ip.is_loopback(),
        Ok(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_whole_and_told_apart() {
        for vendor in VENDORS {
            assert_eq!(VENDORS.iter().filter(|other| other.id == vendor.id).count(), 1, "{}", vendor.id);
            assert_eq!(vendor.needs_key(), !vendor.key_page.is_empty(), "{}", vendor.id);
            assert_eq!(vendor.needs_key(), !vendor.local, "{}", vendor.id);
            if !vendor.base_url.is_empty() {
                assert_eq!(Vendor::by_address(vendor.base_url).map(|found| found.id), Some(vendor.id));
            }
        }
    }

    #[test]
    fn proposed_models_are_known_and_stay_for_a_while() {
        for vendor in VENDORS.iter().filter(|vendor| vendor.needs_key() && !vendor.model.is_empty()) {
            assert!(crate::pricing::known(vendor.id, vendor.model).is_some_and(|model| model.price.is_some()), "{}", vendor.id);
            let (_, today) = crate::pricing::source();
            assert!(crate::pricing::retires(vendor.id, vendor.model).is_none_or(|day| day > today), "{}", vendor.id);
        }
    }

    #[test]
    fn addresses_belong_to_exactly_one_host() {
        let id = |address: &str| Vendor::by_address(address).map(|vendor| vendor.id);
        assert_eq!(id("https://api.openai.com"), Some("openai"));
        assert_eq!(id("https://api.openai.com.evil.example/v1"), None);
        assert_eq!(id("https://evil-api.openai.com/v1"), None);
        assert_eq!(id("https://mine.openai.azure.com/openai/v1"), Some("azure"));
        assert_eq!(id("https://openai.azure.com.evil.example"), None);
        assert_eq!(id("http://127.0.0.1:8080/v1"), Some("llamacpp"));
        assert_eq!(id("http://192.168.1.5:8080/v1"), None);
        assert_eq!(id("nonsense"), None);
    }

    #[test]
    fn keys_are_recognised_by_their_form() {
        let id = |key: &str| Vendor::by_key(key).map(|vendor| vendor.id);
        assert_eq!(id("sk-ant-api03-xyz"), Some("anthropic"));
        assert_eq!(id("sk-or-v1-xyz"), Some("openrouter"));
        assert_eq!(id(" sk-proj-xyz\n"), Some("openai"));
        assert_eq!(id("gsk_xyz"), Some("groq"));
        assert_eq!(id("sk-0123456789abcdef"), None, "many services begin their keys so");
    }
}
