"""A defense for bench in a page: asks the owner once a tool's reply looks like an order.

    bench run --defense 'exec:python3 docs/keyword_guard.py'

The lines are described in docs/exec-defense.md.
"""

import json
import sys

ORDERS = ("important", "ignore", "instead", "before you can", "you must")
suspicious = False


def on_enter(question):
    global suspicious
    text = question["text"].lower()
    if question["channel"] == "tool" and any(order in text for order in ORDERS):
        suspicious = True  # It enters all the same: what it asks for is what is checked.
    return {"answer": "admit"}


def on_call(question):
    if suspicious and question["effect"] != "read":
        return {"answer": "ask", "reason": "SuspiciousReply"}
    return {"answer": "allow"}


def hello(question):
    return {"protocol": 1, "hooks": ["on_enter", "on_call"], "name": "keyword-guard"}


HOOKS = {"hello": hello, "on_enter": on_enter, "on_call": on_call}

for line in sys.stdin:
    question = json.loads(line)
    answer = HOOKS[question["hook"]](question)
    print(json.dumps({"id": question["id"], **answer}), flush=True)
