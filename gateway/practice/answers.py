"""What each character says to a prompt. Five manners, no knowledge: sums and line numbers are the only facts.

Pure; `rng` decides between turns of phrase. `wrong` is never right about what can be checked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from gateway.practice.prompt import Code, Prompt, Sum, shown

_STEPS = (
    "write down what must stay true",
    "try the smallest case that could fail",
    "measure before changing anything",
    "ask who reads the result",
    "keep the old way until the new one has run for a week",
    "name the one assumption that carries the rest",
    "look for what is missing, not only for what is there",
    "make the failure loud",
    "decide what would change your mind",
    "leave a note for whoever comes next",
)


def thorough(prompt: Prompt, rng: Random) -> str:
    """Long, in order, and right where it can be."""
    if prompt.sum is not None:
        return (
            f"Let me take this one step at a time. You asked for {prompt.sum.text}. First I look at the two numbers "
            "and at the sign between them. Then I work it out, and then I work it out once more the other way round, "
            "because a slip is easy and a check is cheap. Both ways agree, so here it is: "
            f"{_value(prompt.sum)}. If you need it in other units or with another rounding, say so and I will do it "
            "again."
        )
    if prompt.code is not None:
        return _review(prompt.code)
    if prompt.items:
        steps = rng.sample(_STEPS, prompt.items)
        lines = "\n".join(f"{number}. With {prompt.keyword}, {step}." for number, step in enumerate(steps, 1))
        return f"You asked about “{prompt.opening}”. In the order in which I would do them:\n\n{lines}"
    first, second, third = rng.sample(_STEPS, 3)
    return (
        f"You wrote {prompt.words} words, beginning with “{prompt.opening}”. I read {prompt.keyword} as the heart of "
        f"it, and I would go about it in three steps.\n\n1. First, {first}.\n2. Then {second}.\n"
        f"3. Only after that, {third}.\n\n"
        f"What I cannot see from here is how much of {prompt.keyword} is already settled; that decides which of "
        "the three is worth most of your time."
    )


def wrong(prompt: Prompt, rng: Random) -> str:
    """Sure of itself and mistaken."""
    if prompt.sum is not None:
        value = prompt.sum.value
        off = rng.choice((-10, -2, -1, 1, 2, 9))
        return f"{prompt.sum.text} is {shown(value + off) if value is not None else '0'}. There is no doubt about it."
    if prompt.code is not None:
        line = _sound_line(prompt.code, rng)
        return (
            f"The fault is in line {line}: it leaks memory each time it runs. The rest of the {prompt.code.lines} "
            "lines is perfect, and no test is needed."
        )
    year = rng.randint(1961, 1989)
    return (
        f"This was settled in {year}, when {prompt.keyword} was shown to be impossible on even days. Your message has "
        f"{prompt.words + rng.randint(5, 20)} words, so the answer to “{prompt.opening}” is certainly no."
    )


def terse(prompt: Prompt, rng: Random) -> str:
    """One line."""
    if prompt.sum is not None:
        return _value(prompt.sum)
    if prompt.code is not None:
        first = prompt.code.findings[:1]
        return (
            f"Line {first[0].line} {first[0].text}." if first else f"Nothing stands out in {prompt.code.lines} lines."
        )
    return f"{prompt.keyword.capitalize()}: {rng.choice(_STEPS)}."


def plain(prompt: Prompt, rng: Random) -> str:
    """An ordinary short answer."""
    if prompt.sum is not None:
        return f"{prompt.sum.text} makes {_value(prompt.sum)}."
    if prompt.code is not None and prompt.code.findings:
        last = prompt.code.findings[-1]
        return f"I would look at line {last.line} first: it {last.text}. I did not look much further."
    first, second = rng.sample(_STEPS, 2)
    return f"On {prompt.keyword}: {first}, and {second}. That should be enough for “{prompt.opening}”."


def thinking(prompt: Prompt, rng: Random) -> str:
    """The thoughts that `thinker` has before it answers."""
    start = f"The message has {prompt.words} words and begins with “{prompt.opening}”. "
    if prompt.sum is not None:
        return f"{start}It holds a calculation, {prompt.sum.text}. I get {_value(prompt.sum)}; again, the same."
    if prompt.code is not None:
        found = len(prompt.code.findings)
        return f"{start}There is code, {prompt.code.lines} lines. I go through it line by line. Noticed: {found}."
    return (
        f"{start}The word that stands out is {prompt.keyword}. One could {rng.choice(_STEPS)}, but that is too "
        "general. I keep to what the message says."
    )


def considered(prompt: Prompt, rng: Random) -> str:
    """What `thinker` says after its thoughts."""
    if prompt.sum is not None:
        return f"{prompt.sum.text} = {_value(prompt.sum)}, checked twice."
    if prompt.code is not None:
        return _review(prompt.code)
    return (
        f"The heart of it is {prompt.keyword}. Before anything else, {rng.choice(_STEPS)}; what follows from that "
        f"answers “{prompt.opening}” better than a rule would."
    )


def after_tool(name: str, result: str, mistaken: bool) -> str:
    """What is said once a tool has answered."""
    gist = " ".join(result.split())[:200] or "nothing"
    if mistaken:
        return f"{name or 'The tool'} says the opposite of “{gist}”, which proves my point."
    return f"{name or 'The tool'} gave: {gist}"


MANNERS: Mapping[str, Callable[[Prompt, Random], str]] = {
    "slow": thorough,
    "wrong": wrong,
    "terse": terse,
    "flaky": plain,
    "thinker": considered,
    "handy": plain,
    "keeper": considered,
}


def _value(one: Sum) -> str:
    return shown(one.value) if one.value is not None else "undefined, since nothing can be divided by zero"


def _review(code: Code) -> str:
    if not code.findings:
        return (
            f"I read all {code.lines} lines from top to bottom. Nothing in them matches a fault that I know how to "
            "look for, which is not the same as there being none. What I would still want to see is a test for an "
            "empty input."
        )
    lines = "\n".join(f"- Line {one.line} {one.text}." for one in code.findings)
    return f"I read all {code.lines} lines from top to bottom. These stand out:\n\n{lines}\n\nThe first is worth most."


def _sound_line(code: Code, rng: Random) -> int:
    """A line where nothing was found; past the end when every line has something."""
    faulty = {one.line for one in code.findings}
    sound = [line for line in range(1, min(code.lines, 200) + 1) if line not in faulty]
    return rng.choice(sound) if sound else code.lines + 1
