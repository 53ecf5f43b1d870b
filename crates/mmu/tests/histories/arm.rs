//! The configurations that both kernels are led through histories in.

use clawmmu::{Ablations, Config, Method, Tie};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Arm {
    #[default]
    Default,
    ForAll,
    Observe,
    Declared,
    Dataflow,
    NoMap,
    NoDerive,
    NoReload,
    NoRecheck,
    TableInside,
    NoAccumulate,
    NoToolStorage,
    LabelsAsText,
}

impl Arm {
    pub(crate) const ALL: [Self; 13] = [
        Self::Default,
        Self::ForAll,
        Self::Observe,
        Self::Declared,
        Self::Dataflow,
        Self::NoMap,
        Self::NoDerive,
        Self::NoReload,
        Self::NoRecheck,
        Self::TableInside,
        Self::NoAccumulate,
        Self::NoToolStorage,
        Self::LabelsAsText,
    ];

    /// What the kernel under test is set up with.
    pub(crate) fn config(self) -> Config {
        let plain = Config { approval_lifetime: 60, ..Config::default() };
        let alone = |name: &str| {
            let found = Ablations::ALONE.into_iter().find(|(known, _)| *known == name);
            Config { ablations: found.expect("it is in the list").1, ..plain }
        };
        match self {
            Self::Default => plain,
            Self::ForAll => Config { tie: Tie::ForAll, ..plain },
            Self::Observe => Config { observe: true, ..plain },
            Self::Declared => Config { method: Method::Declared, ..plain },
            Self::Dataflow => Config { method: Method::Dataflow, ..plain },
            Self::NoMap => alone("no-map"),
            Self::NoDerive => alone("no-derive"),
            Self::NoReload => alone("no-reload"),
            Self::NoRecheck => alone("no-recheck"),
            Self::TableInside => alone("table-inside"),
            Self::NoAccumulate => alone("no-accumulate"),
            Self::NoToolStorage => alone("no-tool-storage"),
            Self::LabelsAsText => alone("labels-as-text"),
        }
    }
}
