"""A memory defense for bench: asks the owner about values that only others have written.

    bench run --defense 'none,exec:python3 docs/provenance_guard.py'

A page is the owner's by its channel, a record by all that it was made from. A call with an effect
is asked about where one of its values stands in the context, and in no page that is the owner's.
A value that stands nowhere, or a switch, is not traced. The lines: docs/exec-defense.md.
"""

import functools
import json
import re
import sys

OWN = ("user", "preference", "instruction")

tenant = 0  # Whose context it is.
held = []  # The pages that the context ever held, as ("page", number).
texts = {}  # What stands in a page.
owners = {}  # Whose own words a page is.
inputs = {}  # What a page, a record or a call that was carried out was made from.
approved = {}  # The values that the owner approved in a page or a record; all where there are none.
revoked = set()
granted = []  # Calls that the owner granted, until they are carried out.


@functools.cache
def live(one):
    return one not in revoked and all(map(live, inputs.get(one, ())))


@functools.cache
def trusted(one, value):
    vouched = one in approved and (not approved[one] or value in approved[one])
    if vouched or owners.get(one) == tenant:
        return live(one)
    made = inputs.get(one)
    return bool(made) and one not in revoked and all(trusted(each, value) for each in made)


def plain(text):
    return " ".join(text.casefold().split())


def holders(argument):
    """Each text or number in an argument, with the pages of the context in which it stands."""
    if isinstance(argument, (dict, list)):
        parts = argument.values() if isinstance(argument, dict) else argument
        return [found for part in parts for found in holders(part)]
    if argument in (None, "") or isinstance(argument, bool):
        return []
    value = f"{argument:.15g}" if isinstance(argument, float) else str(argument)
    word = re.compile(rf"(?<!\w){re.escape(plain(value))}(?!\w)")
    return [(value, [page for page in held if word.search(texts[page])])]


def doubt(call):
    """Why a call needs the owner's word, if it does."""
    for value, pages in holders(call["arguments"]) if call["effect"] != "read" else []:
        if pages and not any(trusted(page, value) for page in pages):
            return "UntrustedSource" if all(map(live, pages)) else "RevokedSource"
    return None


def hold(question, made):
    page = ("page", question["page"])
    texts[page], inputs[page] = plain(question["text"]), tuple(made)
    held.append(page)
    return page


def on_open(question):
    global tenant
    tenant = question["tenant"]
    held.clear()
    return {"answer": "done"}


def on_enter(question):
    page = hold(question, held if question["channel"] == "model" else ())
    if question["channel"] in OWN:
        owners[page] = tenant if question["typed_by"] is None else question["typed_by"]
    return {"answer": "admit"}


def on_derive(question):
    made = [("page", page) for page in question["pages"]]
    made += [("record", record) for record in question["of"]]
    # Whatever the context ever held may be in a model's words.
    inputs["record", question["record"]] = tuple(held if question["by"] == "agent" else made)
    return {"answer": "keep"}


def on_reload(question):
    page = hold(question, [("record", question["record"])])
    return {"answer": "admit"} if live(page) else {"answer": "admit", "reason": "Revoked"}


def on_save(question):
    return {"answer": "done", "state": held}


def on_restore(question):
    held[:] = map(tuple, question["state"])
    return {"answer": "done", "reasons": [] if all(map(live, held)) else ["Revoked"]}


def on_call(question):
    reason = doubt(question)
    return {"answer": "ask", "reason": reason} if reason else {"answer": "allow"}


def on_approval(question):
    if question["granted"]:
        granted.append((question["tool"], question["arguments"]))
    return {"answer": "go"}


def on_dispatch(question):
    call, reason = (question["tool"], question["arguments"]), doubt(question)
    if call in granted:
        granted.remove(call)
    elif reason:
        return {"answer": "stop", "reason": reason}
    if question["effect"] != "read":
        pages = [page for _, pages in holders(question["arguments"]) for page in pages]
        inputs["call", question["id"]] = tuple(pages)
    return {"answer": "go"}


def on_owner(question):
    act, subject = question["act"], next(iter(question.get("subject", {}).items()), None)
    if act != "approve" and not (act == "withdraw" and subject in approved):
        return {"answer": "refused", "reason": "NothingToDo"}
    before, after = approved.pop(subject, None), question.get("values")
    if act == "withdraw" or question["ceiling"] != "policy":
        return {"answer": "done"}  # Only what counts as the owner's own words decides here.
    approved[subject] = after
    within = before is not None and (not before or after and set(after) <= set(before))
    return {"answer": "done", "widens": not within}


def on_revoke(question):
    standing = [one for one in inputs if live(one)]
    revoked.update(one for subject in question["subjects"] for one in subject.items())
    live.cache_clear()
    fallen = [one for one in standing if not live(one)]
    voided = [approved.pop(one) for one in fallen if one in approved] + granted
    granted.clear()  # They were granted before the owner knew.
    return {
        "answer": "done",
        "records": [number for kind, number in fallen if kind == "record"],
        "acts": sum(kind == "call" for kind, _ in fallen),
        "approvals": len(voided),
    }


HOOKS = {name: hook for name, hook in globals().items() if name.startswith("on_")}

for line in sys.stdin:
    question = json.loads(line)
    if question["hook"] == "hello":
        answer = {"protocol": 2, "hooks": list(HOOKS), "name": "provenance-guard"}
    else:
        live.cache_clear(), trusted.cache_clear()
        answer = HOOKS[question["hook"]](question)
    print(json.dumps({"id": question["id"], **answer}), flush=True)
