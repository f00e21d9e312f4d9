"""The notice, in the article's language, that an export shows where the knowledge base covers its topic badly or
not."""

from __future__ import annotations

from typing import Final

from contentgen_core.model.article import Article
from contentgen_core.model.coverage import CoverageLevel
from contentgen_core.model.vocabulary import Language

# For the levels insufficient and low.
NOTICES: Final[dict[Language, tuple[str, str]]] = {
    Language.FR: (
        "La base de connaissances ne couvre pas ce sujet\N{NO-BREAK SPACE}: "
        "ajoutez des sources qui en traitent, ou choisissez-en un autre.",
        "La base de connaissances ne couvre ce sujet qu’en partie\N{NO-BREAK SPACE}: "
        "relisez l’article avant de l’utiliser.",
    ),
    Language.EN: (
        "The knowledge base does not cover this topic: add sources on it, or choose another one.",
        "The knowledge base covers this topic only in part: check the article before you use it.",
    ),
    Language.ES: (
        "La base de conocimientos no cubre este tema: añada fuentes que lo traten o elija otro.",
        "La base de conocimientos solo cubre este tema en parte: revise el artículo antes de utilizarlo.",
    ),
    Language.DE: (
        "Die Wissensbasis deckt dieses Thema nicht ab: Bitte Quellen dazu hinzufügen oder ein anderes Thema wählen.",
        "Die Wissensbasis deckt dieses Thema nur zum Teil ab: Bitte den Artikel vor der Verwendung prüfen.",
    ),
    Language.IT: (
        "La base di conoscenza non copre questo argomento: aggiungere fonti che lo trattino o sceglierne un altro.",
        "La base di conoscenza copre questo argomento solo in parte: verificare l'articolo prima dell'uso.",
    ),
    Language.PT: (
        "A base de conhecimento não abrange este tema: adicione fontes que o tratem ou escolha outro.",
        "A base de conhecimento só abrange este tema em parte: verifique o artigo antes de o utilizar.",
    ),
    Language.NL: (
        "De kennisbank behandelt dit onderwerp niet: voeg er bronnen over toe of kies een ander onderwerp.",
        "De kennisbank behandelt dit onderwerp maar ten dele: controleer het artikel voor gebruik.",
    ),
    Language.PL: (
        "Baza wiedzy nie obejmuje tego tematu: dodaj źródła na ten temat albo wybierz inny.",
        "Baza wiedzy obejmuje ten temat tylko częściowo: przed użyciem należy sprawdzić artykuł.",
    ),
    Language.SV: (
        "Kunskapsbasen täcker inte det här ämnet: lägg till källor om det eller välj ett annat.",
        "Kunskapsbasen täcker bara delvis det här ämnet: kontrollera artikeln innan du använder den.",
    ),
    Language.NO: (
        "Kunnskapsbasen dekker ikke dette emnet: legg til kilder om det eller velg et annet.",
        "Kunnskapsbasen dekker bare delvis dette emnet: kontroller artikkelen før du bruker den.",
    ),
    Language.DA: (
        "Vidensbasen dækker ikke dette emne: tilføj kilder om det, eller vælg et andet.",
        "Vidensbasen dækker kun delvist dette emne: kontrollér artiklen, før du bruger den.",
    ),
    Language.FI: (
        "Tietopohja ei kata tätä aihetta: lisää aihetta käsitteleviä lähteitä tai valitse toinen aihe.",
        "Tietopohja kattaa tämän aiheen vain osittain: tarkista artikkeli ennen käyttöä.",
    ),
    Language.CS: (
        "Znalostní báze toto téma nepokrývá: přidejte zdroje, které se jím zabývají, nebo zvolte jiné.",
        "Znalostní báze pokrývá toto téma jen zčásti: před použitím článek zkontrolujte.",
    ),
    Language.HU: (
        "A tudásbázis nem fedi le ezt a témát: adjon hozzá erről szóló forrásokat, vagy válasszon másikat.",
        "A tudásbázis csak részben fedi le ezt a témát: felhasználás előtt ellenőrizze a cikket.",
    ),
    Language.RO: (
        "Baza de cunoștințe nu acoperă acest subiect: adăugați surse despre el sau alegeți altul.",
        "Baza de cunoștințe acoperă acest subiect doar parțial: verificați articolul înainte de a-l folosi.",
    ),
    Language.EL: (
        "Η βάση γνώσης δεν καλύπτει αυτό το θέμα: προσθέστε σχετικές πηγές ή επιλέξτε άλλο.",
        "Η βάση γνώσης καλύπτει αυτό το θέμα μόνο εν μέρει: ελέγξτε το άρθρο πριν το χρησιμοποιήσετε.",
    ),
    Language.TR: (
        "Bilgi tabanı bu konuyu kapsamıyor: konuyla ilgili kaynaklar ekleyin ya da başka bir konu seçin.",
        "Bilgi tabanı bu konuyu yalnızca kısmen kapsıyor: kullanmadan önce makaleyi kontrol edin.",
    ),
    Language.UK: (
        "База знань не охоплює цю тему: додайте джерела про неї або виберіть іншу.",
        "База знань охоплює цю тему лише частково: перевірте статтю перед використанням.",
    ),
    Language.ZH: (
        "知识库未涵盖此主题：请添加相关来源，或选择其他主题。",
        "知识库仅部分涵盖此主题：使用前请核对文章。",
    ),
    Language.JA: (
        "ナレッジベースはこのトピックを扱っていません。関連する出典を追加するか、別のトピックを選んでください。",
        "ナレッジベースはこのトピックを一部しか扱っていません。使用前に記事を確認してください。",
    ),
    Language.KO: (
        "지식 베이스가 이 주제를 다루지 않습니다. 관련 출처를 추가하거나 다른 주제를 선택하세요.",
        "지식 베이스가 이 주제를 일부만 다룹니다. 사용하기 전에 글을 확인하세요.",
    ),
    Language.TH: (
        "ฐานความรู้ไม่ครอบคลุมหัวข้อนี้: โปรดเพิ่มแหล่งที่มาเกี่ยวกับหัวข้อนี้ หรือเลือกหัวข้ออื่น",
        "ฐานความรู้ครอบคลุมหัวข้อนี้เพียงบางส่วน: โปรดตรวจสอบบทความก่อนนำไปใช้",
    ),
    Language.VI: (
        "Cơ sở tri thức không bao quát chủ đề này: hãy thêm nguồn về chủ đề này hoặc chọn chủ đề khác.",
        "Cơ sở tri thức chỉ bao quát một phần chủ đề này: hãy kiểm tra bài viết trước khi sử dụng.",
    ),
    Language.ID: (
        "Basis pengetahuan tidak mencakup topik ini: tambahkan sumber tentangnya atau pilih topik lain.",
        "Basis pengetahuan hanya mencakup sebagian topik ini: periksa artikel sebelum digunakan.",
    ),
    Language.HI: (
        "ज्ञानकोष में यह विषय शामिल नहीं है: इस पर स्रोत जोड़ें या कोई दूसरा विषय चुनें।",
        "ज्ञानकोष में यह विषय केवल आंशिक रूप से शामिल है: उपयोग से पहले लेख की जाँच करें।",
    ),
    Language.AR: (
        "قاعدة المعرفة لا تغطي هذا الموضوع: أضف مصادر عنه أو اختر موضوعا آخر.",
        "قاعدة المعرفة لا تغطي هذا الموضوع إلا جزئيا: تحقق من المقال قبل استخدامه.",
    ),
    Language.RU: (
        "База знаний не охватывает эту тему: добавьте источники по ней или выберите другую.",
        "База знаний охватывает эту тему лишь частично: проверьте статью перед использованием.",
    ),
    Language.HE: (
        "מאגר הידע אינו מכסה את הנושא הזה: הוסיפו מקורות בנושא או בחרו נושא אחר.",
        "מאגר הידע מכסה את הנושא הזה רק בחלקו: בדקו את המאמר לפני השימוש בו.",
    ),
}


NOTHING_ON: Final[dict[Language, str]] = {
    Language.FR: "Aucune source ne porte sur\N{NO-BREAK SPACE}: {names}.",
    Language.EN: "No source is on: {names}.",
    Language.ES: "Ninguna fuente trata de: {names}.",
    Language.DE: "Keine Quelle handelt von: {names}.",
    Language.IT: "Nessuna fonte tratta di: {names}.",
    Language.PT: "Nenhuma fonte trata de: {names}.",
    Language.NL: "Geen bron gaat over: {names}.",
    Language.PL: "Żadne źródło nie dotyczy: {names}.",
    Language.SV: "Ingen källa handlar om: {names}.",
    Language.NO: "Ingen kilde handler om: {names}.",
    Language.DA: "Ingen kilde handler om: {names}.",
    Language.FI: "Mikään lähde ei käsittele: {names}.",
    Language.CS: "Žádný zdroj se nezabývá: {names}.",
    Language.HU: "Egyetlen forrás sem szól erről: {names}.",
    Language.RO: "Nicio sursă nu tratează: {names}.",
    Language.EL: "Καμία πηγή δεν αφορά: {names}.",
    Language.TR: "Hiçbir kaynak şunlarla ilgili değil: {names}.",
    Language.UK: "Жодне джерело не стосується: {names}.",
    Language.ZH: "没有来源涉及：{names}。",
    Language.JA: "出典がない項目：{names}。",
    Language.KO: "다루는 출처가 없음: {names}.",
    Language.TH: "ไม่มีแหล่งที่มาเกี่ยวกับ: {names}",
    Language.VI: "Không có nguồn nào về: {names}.",
    Language.ID: "Tidak ada sumber tentang: {names}.",
    Language.HI: "इन पर कोई स्रोत नहीं है: {names}।",
    Language.AR: "لا يوجد مصدر عن: {names}.",
    Language.RU: "Ни один источник не посвящён: {names}.",
    Language.HE: "אין מקור על: {names}.",
}
"""What is added at the level low where the topic names something that no source is on."""


def coverage_notice(article: Article) -> str | None:
    """The sentence to show before the text; None where the topic is covered, or its coverage is not known."""
    if article.coverage is None:
        return None
    insufficient, low = NOTICES[article.brief.language]
    if article.coverage.level is CoverageLevel.LOW and article.coverage.missing:
        low = f"{low} {NOTHING_ON[article.brief.language].format(names=', '.join(article.coverage.missing))}"
    return {CoverageLevel.INSUFFICIENT: insufficient, CoverageLevel.LOW: low}.get(article.coverage.level)
