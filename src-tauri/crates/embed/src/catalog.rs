//! Models that Nexi knows and can fetch, with the hashes of their files: what arrives is the very file that was looked at,
//! or it is thrown away.

/// A model that can be fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownModel {
    /// The name in the settings, behind `local/`.
    pub name: &'static str,
    /// Where it is published.
    pub repository: &'static str,
    /// The commit of the repository.
    pub revision: &'static str,
    pub license: &'static str,
    /// Whether it knows languages other than English.
    pub multilingual: bool,
    pub files: [KnownFile; 3],
}

/// A file of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownFile {
    pub name: &'static str,
    /// In bytes.
    pub size: u64,
    /// In hexadecimal digits.
    pub sha256: &'static str,
}

/// The models, the one that is offered first in front.
pub const KNOWN: [KnownModel; 2] = [
    KnownModel {
        name: "multilingual-e5-small",
        repository: "intfloat/multilingual-e5-small",
        revision: "614241f622f53c4eeff9890bdc4f31cfecc418b3",
        license: "MIT",
        multilingual: true,
        files: [
            KnownFile { name: "config.json", size: 655, sha256: "69137736cab8b8903a07fe8afaafdda25aac55415a12a55d1bffa9f581abf959" },
            KnownFile {
                name: "tokenizer.json",
                size: 17_082_730,
                sha256: "0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39",
            },
            KnownFile {
                name: "model.safetensors",
                size: 470_641_600,
                sha256: "1a55775f53449dac10a2bcbc312469fac40b96d53198c407081a831f81c98477",
            },
        ],
    },
    KnownModel {
        name: "all-MiniLM-L6-v2",
        repository: "sentence-transformers/all-MiniLM-L6-v2",
        revision: "1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
        license: "Apache-2.0",
        multilingual: false,
        files: [
            KnownFile { name: "config.json", size: 612, sha256: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41" },
            KnownFile { name: "tokenizer.json", size: 466_247, sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037" },
            KnownFile {
                name: "model.safetensors",
                size: 90_868_376,
                sha256: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            },
        ],
    },
];

impl KnownModel {
    /// The model of this name.
    pub fn find(name: &str) -> Option<&'static KnownModel> {
        KNOWN.iter().find(|model| model.name == name)
    }

    /// The address of one of its files, at the place where it is published or at a mirror.
    pub fn address(&self, mirror: Option<&str>, file: &KnownFile) -> String {
        let host = mirror.unwrap_or("https://huggingface.co").trim().trim_end_matches('/');
        format!("{host}/{}/resolve/{}/{}", self.repository, self.revision, file.name)
    }

    /// Bytes of all its files.
    pub fn size(&self) -> u64 {
        self.files.iter().map(|file| file.size).sum()
    }
}
