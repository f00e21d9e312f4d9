"""What must hold for the translations of articles whose sources change: each says in its language what its original
says now, at both places, and nothing else of it changes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any, Final

from attrs import frozen

from tests.live.mills import Living, Mill, assert_only
from tests.support.model_server import ModelServer

_FRENCH: Final = (
    (
        r"The tide mill of (\w+) is a water mill that grinds grain with the force of the tide",
        r"Le moulin à marée de \1 est un moulin à eau qui moud le grain par la force de la marée",
    ),
    (
        r"It stands on the estuary below (\w+) and was completed in (\d+)",
        r"Il se dresse sur l’estuaire en aval de \1 et fut achevé en \2",
    ),
    (
        r"The mill pond of (\w+) covers (\d+) hectares and fills twice a day",
        r"L’étang du moulin de \1 couvre \2 hectares et se remplit deux fois par jour",
    ),
    (
        r"Three wheels drive (\d+) pairs of millstones on two floors of the tide mill",
        r"Trois roues entraînent \1 paires de meules sur deux étages du moulin à marée",
    ),
    (
        r"The tide mill of (\w+) grinds (\d+) tonnes of barley and wheat a year",
        r"Le moulin à marée de \1 moud \2 tonnes d’orge et de blé par an",
    ),
    (
        r"Visitors of the tide mill pay (\d+) pounds for a tour with the miller",
        r"Les visiteurs du moulin à marée paient \1 livres pour une visite avec le meunier",
    ),
    (
        r"The sluice gates of (\w+) were rebuilt in oak after the storm of (\d+)",
        r"Les vannes de \1 furent refaites en chêne après la tempête de \2",
    ),
    (
        r"A society of volunteers keeps the tide mill of (\w+) open from April to October",
        r"Une association de bénévoles ouvre le moulin à marée de \1 d’avril à octobre",
    ),
    (r"Tide mill of (\w+)", r"Moulin à marée de \1"),
    (r"Further points", "Autres points"),
    (r"Key takeaways", "À retenir"),
)


def french(text: str) -> str:
    """As a translator of tide mills says it. Places such as ⟦1⟧ stay where they are."""
    for english, said in _FRENCH:
        text = re.sub(english, said, text)
    return text


@frozen
class Pair:
    """An article and its French translation."""

    mill: Mill
    original: str
    translation: str

    @property
    def articles(self) -> tuple[str, str]:
        return self.original, self.translation


@frozen
class Before:
    """What both articles said, at home and at WordPress, and how many messages there were of them."""

    texts: Mapping[str, str]
    posts: Mapping[str, tuple[str, str]]
    messages: Mapping[str, int]


async def _seen(living: Living, pair: Pair) -> Before:
    return Before(
        {article: await living.text(article) for article in pair.articles},
        {article: await living.at_wordpress(article) for article in pair.articles},
        {article: len(living.messages(article)) for article in pair.articles},
    )


async def _pair(living: Living, town: str) -> Pair:
    """A published article is translated, and its translation published to both places."""
    original = living.articles[town]
    body = {"targetLanguage": "fr"}
    translation: str = (await living.call("POST", f"/writer/{original}/translate", body))["articleId"]

    async def translated() -> bool:
        found = await living.call("GET", f"/writer/{translation}")
        assert found["status"] != "failed", found
        return bool(found["status"] == "generated")

    await living.until(translated, "a translation")
    living.posts[translation] = {
        place: await living.product.published(integration, articleId=translation)
        for place, integration in living.places.items()
    }
    text = await living.text(translation)
    assert "marée" in text, text
    assert not re.search(r"\b(the|of|and)\b", text), f"English was left in {text}"
    return Pair(next(mill for mill in living.mills if mill.town == town), original, translation)


async def _accepted(living: Living, article: str, *, publish: bool) -> dict[str, Any]:
    update = (await living.call("POST", "/article-updates", {"articleId": article}))["update"]
    accepted = await living.call("POST", f"/article-updates/{update['id']}/accept", {"publish": publish})
    await _delivered(living, accepted)
    return dict(accepted)


async def _delivered(living: Living, update: Mapping[str, Any]) -> None:
    for id in update["updating"]:
        publication = await living.product.ended(await living.call("GET", f"/publications/{id}"))
        assert publication["status"] == "published", publication


async def _following(living: Living, update: Mapping[str, Any]) -> dict[str, Any]:
    """The translation's update, once it is translated."""
    [told] = update["translations"]

    async def translated() -> dict[str, Any] | None:
        found: dict[str, Any] = await living.call("GET", f"/article-updates/{told['updateId']}")
        return None if found["state"] == "translating" else found

    found: dict[str, Any] = await living.until(translated, "the update of a translation")
    return found


async def translations_follow_sentence_by_sentence(living: Living) -> None:
    """With a model that was configured later. One original is updated with its posts, one without, one not at all."""
    with ModelServer(translate=french) as model:
        service = living.product.service
        await asyncio.to_thread(service.interrupt)
        service.env |= model.environment
        await asyncio.to_thread(service.start)
        towns = list(living.articles)[-3:]
        published, reviewed, untouched = [await _pair(living, town) for town in towns]
        model.translated.clear()
        others = await _seen(living, untouched)
        await asyncio.sleep(1.1)  # WordPress says in whole seconds when a post was changed
        await _with_its_posts(living, published, model)
        await _after_a_review(living, reviewed)
        assert await _seen(living, untouched) == others


async def _with_its_posts(living: Living, pair: Pair, model: ModelServer) -> None:
    """Two figures change, and follow everywhere at once."""
    facts, before = pair.mill.facts, await _seen(living, pair)
    new = {"tonnes": facts["tonnes"] + 1000, "price": facts["price"] + 20}
    living.folder.joinpath(pair.mill.file).write_text(pair.mill.text(**new), "utf-8")
    assert (await living.synced())["changed"] == 1
    accepted = await _accepted(living, pair.original, publish=True)
    follower = await _following(living, accepted)
    assert (follower["state"], follower["applied"]) == ("applied", [c["position"] for c in follower["changes"]]), (
        follower
    )
    await _delivered(living, follower)
    assert len(accepted["updating"]) == len(follower["updating"]) == len(living.places)
    assert len(model.translated) == len(new), f"more than the changed sentences were translated: {model.translated}"
    units = {pair.original: ("tonnes", "pounds"), pair.translation: ("tonnes", "livres")}
    for article in pair.articles:
        text, post = before.texts[article], before.posts[article][0]
        for name, unit in zip(new, units[article], strict=True):
            old, now = f"{facts[name]} {unit}", f"{new[name]} {unit}"
            assert old in text, f"{old} is not in {text}"
            text, post = text.replace(old, now), post.replace(old, now)
        assert await living.text(article) == text
        assert_only(post, (await living.at_wordpress(article))[0], "", "")
        messages = living.messages(article)
        assert len(messages) == before.messages[article] + 1
        assert messages[-1].payload["type"] == "article.updated"


async def _after_a_review(living: Living, pair: Pair) -> None:
    """A sentence is lost and a figure changes; a person accepts the original, then reads the translation's update and
    accepts that, and publishes."""
    facts, before = pair.mill.facts, await _seen(living, pair)
    lost = f"The mill pond of {pair.mill.town} covers {facts['pond']} hectares and fills twice a day"
    text = pair.mill.text(tonnes=facts["tonnes"] + 1000).replace(f"{lost}.\n", "")
    living.folder.joinpath(pair.mill.file).write_text(text, "utf-8")
    assert (await living.synced())["changed"] == 1
    follower = await _following(living, await _accepted(living, pair.original, publish=False))
    assert follower["state"] == "proposed", follower
    assert await living.text(pair.translation) == before.texts[pair.translation]
    proposed = {change["text"]: change["proposal"] for change in follower["changes"]}
    grinds = f"The tide mill of {pair.mill.town} grinds {{}} tonnes of barley and wheat a year."
    old, new = grinds.format(facts["tonnes"]), grinds.format(facts["tonnes"] + 1000)
    assert proposed == {french(f"{lost}."): "", french(old): french(new)}, proposed
    for article in pair.articles:
        assert await living.at_wordpress(article) == before.posts[article], "a post changed before it was to"
    accepted = await living.call("POST", f"/article-updates/{follower['id']}/accept", {"publish": True})
    await _delivered(living, accepted)
    now = await living.text(pair.translation)
    assert french(lost) not in now
    assert now == _without(before.texts[pair.translation], french(lost)).replace(french(old)[:-1], french(new)[:-1])
    assert french(lost) not in (await living.at_wordpress(pair.translation))[0]
    assert await living.at_wordpress(pair.original) == before.posts[pair.original], "its posts were not to follow yet"
    assert len(living.messages(pair.original)) == before.messages[pair.original]
    assert len(living.messages(pair.translation)) == before.messages[pair.translation] + 1


def _without(text: str, sentence: str) -> str:
    """The text without a sentence and its citation."""
    return re.sub(rf"“?{re.escape(sentence)}”? \[\d+\]\. ?", "", text)


TRANSLATIONS: Final = (translations_follow_sentence_by_sentence,)
