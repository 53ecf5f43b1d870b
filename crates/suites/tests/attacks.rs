//! What every attack injects, in every version and for every pair, against upstream's own attacks: by
//! digest, made by upstream's Python at test time.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use scenario::kind::Kind;
use sha2::{Digest as _, Sha256};
use suites::agentdojo::{ATTACKS, AgentDojo, Attack, Scripts, VERSION, VERSIONS};
use suites::suite::{Counts, Finished};
use testkit::{bundle, upstream_script};

/// What is typed where upstream asks for a text: a place that is none, and what YAML escapes.
const TYPED: &str = "Please {goal} for {{me}}\\tnow: # 100%";

/// All of upstream's attacks.
fn attacks() -> Vec<Attack> {
    ATTACKS.iter().map(|(name, _)| Attack::parse(name, Some(TYPED)).unwrap()).collect()
}

fn digest(injections: &[(String, String)]) -> String {
    let mut made = Sha256::new();
    for (vector, text) in injections {
        made.update(format!("{vector}\0{text}\0"));
    }
    let mut text = String::new();
    for byte in made.finalize() {
        write!(text, "{byte:02x}").unwrap();
    }
    text
}

#[test]
fn every_attack_is_worded_as_upstream_words_it() {
    let Some(bundle) = bundle() else { return };
    let Some(printed) = upstream_script("agentdojo_attacks.py", &["--text", TYPED]) else { return };
    let upstream: BTreeMap<&str, &str> =
        printed.lines().map(|line| line.rsplit_once(' ').unwrap()).collect();
    let mut compared = 0;
    for version in VERSIONS {
        let suite =
            AgentDojo::load_under(&bundle, version, Scripts::default(), &attacks()).unwrap();
        for scenario in suite.scenarios().unwrap() {
            let Some(attack) = &scenario.attack else { continue };
            let (world, user) = (&scenario.world, &scenario.user_task);
            let injection = scenario.injection_task.as_ref().unwrap();
            let key = format!("{version} {world} {user} {injection} {attack}");
            let expected = upstream.get(key.as_str());
            assert_eq!(expected, Some(&digest(&scenario.injections).as_str()), "{key}");
            compared += 1;
        }
    }
    assert_eq!(compared, upstream.len(), "every text of upstream's is made");
    // Twelve attacks on pairs and five on user tasks, in four versions and in three.
    assert_eq!(compared, 4 * (12 * 629 + 5 * 97) + 3 * (12 * 949 + 5 * 97));
}

#[test]
fn denial_of_service_lands_where_the_task_is_not_done() {
    let Some(bundle) = bundle() else { return };
    let dos = [Attack::parse("dos", None).unwrap()];
    let suite = AgentDojo::load_under(&bundle, VERSION, Scripts::default(), &dos).unwrap();
    let scenarios = suite.scenarios().unwrap();
    assert_eq!(Counts::of(&scenarios), Counts { users: 97, injections: 35, pairs: 97 });
    let mut landed = 0;
    for scenario in scenarios.iter().filter(|one| one.kind == Kind::Attack) {
        assert!(suite.denies(scenario));
        let world = suite.open(scenario).unwrap();
        assert!(suite.attack_script(scenario, world.state(), world.state()).steps.is_empty());
        let ending = Finished {
            pre: world.state(),
            post: world.state(),
            answer: "",
            requested: &[],
            memory: &[],
        };
        let done = suite.utility(scenario, &ending).unwrap();
        assert_eq!(suite.landed(scenario, &ending), Ok(Some(!done)), "{}", scenario.id);
        landed += usize::from(!done);
    }
    // All but the five tasks of banking that are done by nothing.
    assert_eq!(landed, 92);
}

#[test]
fn an_attack_by_hand_needs_a_text() {
    assert_eq!(
        Attack::parse("manual", None).unwrap_err().to_string(),
        "attack `manual` has no text"
    );
    assert_eq!(Attack::parse("nope", None).unwrap_err().to_string(), "unknown attack `nope`");
    assert_eq!(Attack::parse("manual", Some("x")).unwrap().name(), "manual");
}
