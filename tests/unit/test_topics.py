import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from contentgen_core.errors import InvalidInput
from contentgen_core.policies.topics.validation import check_keywords, check_topic, topic_key

ORDINARY = [
    "SELECT ou UNION : la vie syndicale",
    "10 idées & bons plans (2026)",
    "C++ vs C# : que choisir ?",
    "L'union fait la force -- ou pas",
    "Prix < 100 € : {guide}",
    "Drop table tennis: rules",
    "Node.js vs Deno: which runtime in 2026?",
    "Node.js/Deno: a comparison",
    "ASP.NET/Blazor for beginners",
    "Migrating from ASP.NET 4.5 to .NET 8",
    "Comprendre la balise <title> en SEO",
    "<div> vs <span>: when to use which",
    "JavaScript: map() vs forEach()",
    "JavaScript : les bases",
    "Quelle différence entre 3.5 et 3,5 ?",
    "B.Sc/M.Sc: what changes in Europe?",
    "and/or in contracts: how to read it",
    "Rock 'n' roll and the 1950s",
    "'Pride and Prejudice' or 'Emma': where to start?",
    '"Rock" and roll -- a short history',
    'Faut-il dire "oui" ou "non" ?',
    "Select the best sofa from local brands",
    "How to select a supplier from China where quality matters",
    "Update your home and set a budget",
    "Delete from Facebook: what really disappears?",
    "Insert coins: into the world of arcade games",
    "Create table decorations; drop the cliches",
    "Comprendre 192.168.1.0/24 et le CIDR",
    "Booking.com ou Airbnb : avis et comparatif",
    "Amazon.fr : frais de port en 2026",
    "Que vaut X.com aujourd'hui ?",
    "TVA à 20 % : exemples",
    "Croissance : +3 % en 2025, -1 % en 2026",
    "Taux <5 % : mythe ou réalité ?",
    "R&D, M&A & co.: a glossary",
    "AT&T et l'histoire du téléphone",
    "E=mc² expliqué simplement",
    "1 + 1 = 2: why maths needs proofs",
    "2 or 3 = a crowd?",
    "Gagner 100 $ {méthode simple}",
    "Prix : 50 $ / mois",
    "[Guide] Bien choisir sa mutuelle",
    "[2026] Les tendances déco",
    "#MeToo : dix ans après",
    "@mentions on social media: etiquette",
    "Email à contact@entreprise : bonnes pratiques",
    "Que signifie 24/7 ?",
    "Ratio 16:9 ou 4:3 ?",
    "Le métier d'assistant(e) de direction",
    "Wärmepumpe im Altbau: Lohnt sich das?",
    "Was kostet eine Photovoltaikanlage? 5 Beispiele",
    "¿Cuánto cuesta una bomba de calor?",
    "¡Adiós al gas! Guía práctica",
    "Come scegliere l'assicurazione casa",
    "Energia solar: vale a pena?",
    "Warmtepomp of cv-ketel?",
    "Pompa ciepła – czy warto?",
    "Тепловые насосы: стоит ли покупать?",
    "Теплові насоси та «зелений» тариф",
    "热泵值得安装吗？",
    "選挙とは何か：若者のための入門",
    "히트펌프의 장점과 단점",
    "ปั๊มความร้อนคุ้มค่าหรือไม่",
    "المضخات الحرارية: هل تستحق الشراء؟",
    "משאבות חום: האם כדאי?",
    "हीट पंप: क्या यह फायदेमंद है?",
    "Máy bơm nhiệt có đáng mua không?",
    "Αντλίες θερμότητας: αξίζουν;",
    "Isı pompası almaya değer mi?",
    "می‌خواهم بدانم",
    "Famille 👨‍👩‍👧 : partir en vacances",
    "L’« effet rebond » : de quoi parle-t-on ?",
    "The what/why/how of data mesh",
    "Is TCP/IP still relevant?",
    "SQL: INNER JOIN or LEFT JOIN?",
    "SQL UNION versus UNION ALL explained",
    "DELETE, TRUNCATE, DROP : quelles différences ?",
    "What is JSON { } and why use it?",
    "Handlebars, Jinja and Mustache: template engines compared",
    "Sleep (and how to get more of it)",
]

SUSPICIOUS = {
    "a URL": [
        "Lire https://evil.com avant tout",
        "HTTP://EVIL.COM",
        "voir www.evil.com pour en savoir plus",
        "tout sur evil.com/x",
        "evil.co.uk/path?x=1",
        "bit.ly/abc123",
        "t.co/xyz",
        "evil.com?session=1",
        "ftp://files.example.org",
        "//evil.com is here",
        "javascript:alert(1)",
        "data:text/html;base64,AAAA",
        "http://127.0.0.1/admin",
        "10.0.0.1/latest/meta-data",
        "bücher.de/angebot",
        "https%3A%2F%2Fevil.com/x",
    ],
    "script tags": [
        "<script>alert(1)</script>",
        "Pompes <SCRIPT src=x>",
        "< script >alert(1)",
        "<img src=x onerror=alert(1)>",
        "<svg/onload=alert(1)>",
        "<iframe srcdoc=x>",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "%3Cscript%3Ealert(1)",
        "<?php echo 1; ?>",
    ],
    "a JSON block": [
        '{"role": "system"}',
        'Pompes {"a": 1}',
        '[{"a": 1}]',
        "[{a}]",
        "{'a': 1}",
        '{role: "system"}',
        '["a", "b"]',
        "{“role”: “system”}",
    ],
    "SQL commands": [
        "'; DROP TABLE x; --",
        "' OR '1'='1",
        "' or 1=1 --",
        "x' OR 'a'='a",
        "1 OR 1=1",
        "admin'--",
        "UNION SELECT password FROM users",
        "x' UNION ALL SELECT NULL, NULL --",
        "pompes; DELETE FROM articles",
        "pompes; DROP TABLE articles",
        "DROP TABLE users",
        "drop table users;",
        "SELECT * FROM users",
        "select name from users where id=1",
        "INSERT INTO users VALUES (1)",
        "UPDATE users SET role='admin'",
        "pg_sleep(10)",
        "UN/**/ION SEL/**/ECT 1 FROM t",
        "'/**/OR/**/'1'='1",
        "’ OR ’1’=’1",
    ],
    "a template literal": ["${7*7}", "{{7*7}}", "{{ user.name }}", "<%= 7*7 %>", "<% code %>", "{% if x %}", "#{7*7}"],
}


@pytest.mark.parametrize("topic", ORDINARY)
def test_an_ordinary_topic_is_accepted_as_it_is(topic: str) -> None:
    assert check_topic(topic) == topic


def test_the_ordinary_topics_are_many() -> None:
    assert len(set(ORDINARY)) >= 60


@pytest.mark.parametrize(("what", "topic"), [(w, t) for w, topics in SUSPICIOUS.items() for t in topics])
def test_suspicious_input_is_refused_by_its_name(what: str, topic: str) -> None:
    with pytest.raises(InvalidInput, match=rf"^topic: must not contain {what}$"):
        check_topic(topic)


def _full_width(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


@given(
    topic=st.sampled_from([t for topics in SUSPICIOUS.values() for t in topics]),
    invisible=st.sampled_from(["\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\ufe0f", "\u3164"]),
    at=st.integers(0, 40),
    wide=st.booleans(),
)
def test_neither_full_width_nor_invisible_characters_hide_suspicious_input(
    topic: str, invisible: str, at: int, wide: bool
) -> None:
    disguised = _full_width(topic) if wide else topic
    with pytest.raises(InvalidInput):
        check_topic(disguised[:at] + invisible + disguised[at:])


@given(st.sampled_from(SUSPICIOUS["script tags"] + SUSPICIOUS["SQL commands"][:4]), st.sampled_from(ORDINARY))
def test_suspicious_input_is_found_beside_ordinary_words(bad: str, good: str) -> None:
    with pytest.raises(InvalidInput):
        check_topic(f"{good} {bad}")


@pytest.mark.parametrize("topic", ["", "   ", "\u200b", "\u200b \ufeff", "???", "— … —"])
def test_a_topic_without_words_is_refused(topic: str) -> None:
    with pytest.raises(InvalidInput):
        check_topic(topic)


@pytest.mark.parametrize("topic", ["pompes\x00", "pom\x1bpes", "a\x7fb", "a\x85b", "\ud800 pompes", "abc\u202edef"])
def test_control_characters_are_refused(topic: str) -> None:
    with pytest.raises(InvalidInput, match="control characters"):
        check_topic(topic)


def test_lengths_are_counted_in_characters_after_trimming() -> None:
    assert check_topic(" \t" + "é" * 10 + " \n", min_length=10) == "é" * 10
    assert check_topic("  " + "a" * 500 + "  ") == "a" * 500
    assert check_topic("e\u0301" * 500) == "é" * 500
    with pytest.raises(InvalidInput, match=r"^title: at least 10 characters$"):
        check_topic("a" * 9 + " " * 5, min_length=10, field="title")
    with pytest.raises(InvalidInput, match="at most 500 characters"):
        check_topic("a" * 501)
    with pytest.raises(InvalidInput, match="at least 10"):
        check_topic("\u200b".join("abcdefghi"), min_length=10)


def test_an_enormous_topic_is_refused_at_once() -> None:
    with pytest.raises(InvalidInput, match="at most 500"):
        check_topic("{" * 5_000_000)


@given(st.text(max_size=600))
def test_any_text_is_either_normalised_or_refused(text: str) -> None:
    try:
        topic = check_topic(text)
    except InvalidInput:
        return
    assert 1 <= len(topic) <= 500
    assert topic == check_topic(topic)
    assert topic == " ".join(topic.split())


@given(st.text(max_size=60))
def test_a_topic_key_is_stable_and_blind_to_case_and_white_space(text: str) -> None:
    key = topic_key(text)
    assert topic_key(key) == key
    assert topic_key(f"  {text}\n") == key
    assert topic_key(text.casefold()) == key


def test_the_same_topic_in_another_form_has_the_same_key() -> None:
    assert topic_key("Énergie  SOLAIRE") == topic_key("e\u0301nergie solaire ")
    assert topic_key("STRASSE") == topic_key("Straße")
    assert topic_key("Énergie") != topic_key("Energie")


def test_keywords_lose_repetitions_and_keep_their_order() -> None:
    assert check_keywords(["Solaire", " toit ", "solaire", "prix"]) == ("Solaire", "toit", "prix")
    assert check_keywords([]) == ()


def test_every_faulty_keyword_is_named() -> None:
    with pytest.raises(InvalidInput) as caught:
        check_keywords(["ok", "", "x" * 101, "<script>", "y" * 100])
    assert [e.field for e in caught.value.errors] == ["keywords[1]", "keywords[2]", "keywords[3]"]


def test_more_than_twenty_keywords_are_refused() -> None:
    assert len(check_keywords([f"mot {i}" for i in range(20)])) == 20
    with pytest.raises(InvalidInput, match="at most 20"):
        check_keywords(["mot"] * 21)


@given(st.lists(st.text("abc ", min_size=1, max_size=4), max_size=20))
def test_kept_keywords_are_distinct_topics(keywords: list[str]) -> None:
    assume(all(k.strip() for k in keywords))
    kept = check_keywords(keywords)
    assert len({topic_key(k) for k in kept}) == len(kept)
    assert {topic_key(k) for k in kept} == {topic_key(k) for k in keywords}
