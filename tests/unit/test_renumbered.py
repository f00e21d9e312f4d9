"""Other numbers for citations, in a text that stays."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.shared.document.renumbered import renumber


def test_what_only_looks_like_a_citation_is_left_alone() -> None:
    text = """Heat [2][3] moves [3] [1], says [4][2][3].

| a [3] | `[3]` |
|---|---|
| [see [3]](https://x.example/[3]) | ![[3]](https://x.example/p.png) |

    code [3]

```
code [3]
```

- one **two [3]** [5]: [6]
- \\[3\\] and [7]

<p title="[3]">Block [3], <code>[3]</code></p>

[5]: https://x.example/5
"""
    made = renumber(text, {1: 1, 2: 2, 3: 2, 4: 3, 5: 3, 6: 4})
    assert (
        made
        == """Heat [2] moves [2] [1], says [3][2].

| a [2] | `[3]` |
|---|---|
| [see [3]](https://x.example/[3]) | ![[3]](https://x.example/p.png) |

    code [3]

```
code [3]
```

- one **two [2]** [5]: [4]
- \\[3\\] and [7]

<p title="[3]">Block [2], <code>[3]</code></p>

[5]: https://x.example/5
"""
    )


@given(st.text(alphabet="[]()123 \n`*<>ap/:!\\-\ue000", max_size=60))
def test_the_text_stays_but_for_numbers(text: str) -> None:
    assert re.sub(r"\d", "0", renumber(text, {1: 2, 2: 1, 3: 3})) == re.sub(r"\d", "0", text) or re.search(
        r"\[\d\][ \u00a0]*\[\d\]", text
    )
    assert renumber(renumber(text, {1: 2, 2: 1}), {1: 1}) == renumber(text, {1: 2, 2: 1})
