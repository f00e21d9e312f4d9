"""Validating a request to publish, and making a post of an article."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from attrs import astuple, evolve

from contentgen_core.errors import FieldError, InvalidInput
from contentgen_core.model.approval import PostDetails
from contentgen_core.model.article import Article, Seo
from contentgen_core.model.publication import PostRequest, PostStatus, Publication
from contentgen_core.model.publishing_target import (
    Feature,
    FieldType,
    Post,
    PostSource,
    ProviderInfo,
    RemotePost,
    SettingField,
)
from contentgen_core.model.web_address import is_web_address
from contentgen_core.policies.articles.image_credit import alternative_text, credit_markdown, shown_credit
from contentgen_core.policies.text.storable import fits

MAX_TITLE: Final = 300
MAX_CONTENT: Final = 500_000
MAX_EXCERPT: Final = 2_000
MAX_SLUG: Final = 200
MAX_TERMS: Final = 50
MAX_TERM: Final = 100
MAX_VALUE: Final = 5_000
"""Of one text among credentials or settings, in characters."""
MAX_EARLY: Final = timedelta(minutes=1)
"""How much too early a target may publish a scheduled post."""


def check_request(request: PostRequest, info: ProviderInfo, has_article: bool, now: datetime) -> None:
    """Check a post against its target's limits, features and options. Raises InvalidInput with every fault.
    `has_article`: whether the request names an article, whose title and content are the default."""
    faults = [
        *_length_faults(request),
        *_term_faults(request),
        *_status_faults(request, info, now),
        *_option_faults(request, info),
    ]
    if has_article and request.content is not None and not request.content.strip():
        faults.append(FieldError("content", "must not be empty; left out, it is the article's"))
    if not has_article:
        faults += [
            FieldError(name, "needed where there is no articleId")
            for name, value in (("title", request.title), ("content", request.content))
            if not (value or "").strip()
        ]
    if faults:
        raise InvalidInput(*faults)


def check_details(details: PostDetails, info_of: Callable[[str], ProviderInfo]) -> None:
    """Check the details of a post. Raises InvalidInput with every fault. `info_of`: gives a kind of target by its id;
    raises InvalidInput for an unknown one."""
    request = PostRequest(
        slug=details.slug, tags=details.tags, categories=details.categories, canonical_url=details.canonical_url
    )
    faults = [*_length_faults(request), *_term_faults(request)]
    for provider, options in details.options.items():
        faults += _option_faults(PostRequest(options=options), info_of(provider))
    if faults:
        raise InvalidInput(*faults)


def _length_faults(request: PostRequest) -> Iterator[FieldError]:
    limits = (
        ("title", request.title, MAX_TITLE),
        ("content", request.content, MAX_CONTENT),
        ("excerpt", request.excerpt, MAX_EXCERPT),
        ("slug", request.slug, MAX_SLUG),
    )
    for name, value, most in limits:
        if value is not None and not fits(value, most):
            yield FieldError(name, f"at most {most} characters, without NUL")
    for name, address in (("featuredImage", request.featured_image), ("canonicalUrl", request.canonical_url)):
        if address is not None and not is_web_address(address):
            yield FieldError(name, "must be an http or https address")


def _term_faults(request: PostRequest) -> Iterator[FieldError]:
    for name, terms in (("tags", request.tags or ()), ("categories", request.categories or ())):
        if len(terms) > MAX_TERMS:
            yield FieldError(name, f"at most {MAX_TERMS}")
        for at, term in enumerate(terms[:MAX_TERMS]):
            if not fits(term.strip(), MAX_TERM, min_length=1):
                yield FieldError(f"{name}[{at}]", f"between 1 and {MAX_TERM} characters")


def _status_faults(request: PostRequest, info: ProviderInfo, now: datetime) -> Iterator[FieldError]:
    if request.status is PostStatus.DRAFT and Feature.DRAFT not in info.features:
        yield FieldError("status", f"{info.name} has no drafts")
    if request.status is PostStatus.SCHEDULED and (request.scheduled_for is None or request.scheduled_for <= now):
        yield FieldError("scheduledFor", "a scheduled post needs a time in the future")


def _option_faults(request: PostRequest, info: ProviderInfo) -> Iterator[FieldError]:
    known = {field.name: field for field in info.option_fields}
    for name, value in request.options.items():
        if name not in known:
            yield FieldError(name, f"{info.name} has no such option")
        elif (fault := fault_of_value(known[name].type, value)) is not None:
            yield FieldError(name, fault)


def check_fields(where: str, values: Mapping[str, Any], fields: Sequence[SettingField]) -> None:
    """Credentials or settings against their declaration. `where`: the prefix of the fields' names. Raises InvalidInput
    with every fault."""
    known = {field.name: field for field in fields}
    faults = [FieldError(f"{where}.{name}", "there is no such field") for name in values if name not in known]
    for name, field in known.items():
        value = values.get(name)
        if value in (None, ""):
            if field.required and field.default is None:
                faults.append(FieldError(f"{where}.{name}", "is needed"))
        elif (fault := fault_of_value(field.type, value)) is not None:
            faults.append(FieldError(f"{where}.{name}", fault))
        elif field.choices and value not in {choice.value for choice in field.choices}:
            faults.append(
                FieldError(f"{where}.{name}", f"one of {', '.join(choice.value for choice in field.choices)}")
            )
    if faults:
        raise InvalidInput(*faults)


def fault_of_value(type: FieldType, value: Any) -> str | None:
    """Explain, for a person, why a value does not fit a field's type; None when it does."""
    return _CHECKS[type](value)


def _text(value: Any) -> str | None:
    return None if _is_text(value) else f"must be a text of at most {MAX_VALUE} characters"


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and fits(value, MAX_VALUE)


def _url(value: Any) -> str | None:
    return None if isinstance(value, str) and is_web_address(value) else "must be an http or https address"


def _number(value: Any) -> str | None:
    return None if isinstance(value, int | float) and not isinstance(value, bool) else "must be a number"


def _boolean(value: Any) -> str | None:
    return None if isinstance(value, bool) else "must be true or false"


def _list(value: Any) -> str | None:
    fits = isinstance(value, list | tuple) and len(value) <= MAX_TERMS and all(map(_is_text, value))
    return None if fits else f"must be a list of at most {MAX_TERMS} texts"


def _map(value: Any) -> str | None:
    fits = isinstance(value, Mapping) and len(value) <= MAX_TERMS and all(map(_is_text, (*value, *value.values())))
    return None if fits else f"must be an object of at most {MAX_TERMS} texts"


_CHECKS: Final[dict[FieldType, Callable[[Any], str | None]]] = {
    FieldType.TEXT: _text,
    FieldType.URL: _url,
    FieldType.NUMBER: _number,
    FieldType.BOOLEAN: _boolean,
    FieldType.SELECT: _text,
    FieldType.LIST: _list,
    FieldType.MAP: _map,
}


def post_of(
    publication: Publication, article: Article | None, info: ProviderInfo, slug: Callable[[str], str], now: datetime
) -> Post:
    """The post to make at the target: the article, overridden by the request. It is published now where the target
    cannot schedule or the time has come. `article`: as readers get it. `slug`: makes one of a title."""
    request, details = publication.request, article.details if article else PostDetails()
    title = request.title or (article.title if article else "")
    seo = article.seo if article else None
    scheduled = (
        request.status is PostStatus.SCHEDULED
        and Feature.SCHEDULE in info.features
        and request.scheduled_for is not None
        and request.scheduled_for > now
    )
    status = PostStatus.PUBLISHED if request.status is PostStatus.SCHEDULED and not scheduled else request.status
    return Post(
        external_key=publication.external_key,
        title=title,
        markdown=request.content if request.content is not None else _article_text(article, request),
        slug=request.slug or details.slug or (article.slug if article else None) or slug(title),
        status=status,
        language=article.brief.language if article else None,
        excerpt=request.excerpt if request.excerpt is not None else (article.excerpt if article else None),
        tags=_first(request.tags, details.tags, article.brief.keywords if article else None) or (),
        categories=_first(request.categories, details.categories) or (),
        scheduled_for=request.scheduled_for if scheduled else None,
        featured_image=request.featured_image or (article.featured_image if article else None),
        featured_image_alt=title if request.featured_image or article is None else alternative_text(article),
        canonical_url=request.canonical_url or details.canonical_url,
        meta_title=seo.meta_title if seo else None,
        meta_description=seo.meta_description if seo else None,
        sources=_sources(article) if request.content is None else (),
        article_id=publication.article_id,
        options={**details.options.get(info.id, {}), **request.options},
        clears=_clears(request, details, seo),
    )


def _first(*values: tuple[str, ...] | None) -> tuple[str, ...] | None:
    return next((value for value in values if value is not None), None)


def _clears(request: PostRequest, details: PostDetails, seo: Seo | None) -> tuple[str, ...]:
    """Return the search texts that a request removes on purpose from an article that has some."""
    terms = {
        "tags": _first(request.tags, details.tags),
        "categories": _first(request.categories, details.categories),
    }
    texts = {"metaTitle": seo.meta_title, "metaDescription": seo.meta_description} if seo else {}
    return (
        *(name for name, value in terms.items() if value == ()),
        *(name for name, text in texts.items() if not text),
    )


def _article_text(article: Article | None, request: PostRequest) -> str:
    """The article's content, followed by the credit of its picture, which the provider requires wherever it is
    shown."""
    if article is None:
        return ""
    credit = None if request.featured_image else shown_credit(article)
    return f"{article.content.rstrip()}\n\n{credit_markdown(credit)}\n" if credit else article.content


def _sources(article: Article | None) -> tuple[PostSource, ...]:
    """The article's sources; none for a text that the request brings."""
    listed = sorted(article.sources, key=lambda source: source.number) if article else ()
    return tuple(PostSource(s.number, s.title, s.url, s.published, s.author) for s in listed)


def is_in_requested_state(seen: RemotePost, post: Post, now: datetime) -> bool:
    """Whether the post at the target has the state that was requested. A draft that was public before may stay so, and
    some targets publish at once what is due very soon."""
    if post.status in (seen.status, PostStatus.DRAFT):
        return True
    return (
        seen.status is PostStatus.PUBLISHED and post.scheduled_for is not None and post.scheduled_for <= now + MAX_EARLY
    )


def content_hash(post: Post) -> str:
    """A hash of everything that a target shows; its status and time do not count."""
    return hashlib.sha256(repr(astuple(evolve(post, status=PostStatus.DRAFT, scheduled_for=None))).encode()).hexdigest()
