"""The few words a printed page adds to an article, in its language."""

from __future__ import annotations

from typing import Final, NamedTuple

from contentgen_core.model.vocabulary import Language


class Labels(NamedTuple):
    sources: str
    full: str  # the grounding levels
    partial: str
    none: str
    sentences: str  # checked
    supported: str  # share of sentences supported by what they cite (recall)
    precise: str  # share of citations that contribute (precision)
    valid: str  # share of citations that point at a source
    quotes: str  # share of quotations found word for word
    facts: str  # share of figures, dates and names found


def _of(line: str) -> Labels:
    return Labels(*(part.strip() for part in line.split("|")))


LABELS: Final[dict[Language, Labels]] = {
    Language.EN: _of(
        "Sources|Fully grounded|Partly grounded|Written without sources|sentences|"
        "sentences supported|citations that contribute|valid citations|quotations matched|facts matched"
    ),
    Language.FR: _of(
        "Sources|Entièrement sourcé|Partiellement sourcé|Rédigé sans sources|phrases|"
        "phrases étayées|citations utiles|citations valides|citations textuelles vérifiées|faits vérifiés"
    ),
    Language.ES: _of(
        "Fuentes|Totalmente fundamentado|Parcialmente fundamentado|Escrito sin fuentes|frases|"
        "frases respaldadas|citas que aportan|citas válidas|citas textuales verificadas|datos verificados"
    ),
    Language.DE: _of(
        "Quellen|Vollständig belegt|Teilweise belegt|Ohne Quellen verfasst|Sätze|"
        "belegte Sätze|beitragende Belege|gültige Belege|geprüfte Zitate|geprüfte Fakten"
    ),
    Language.IT: _of(
        "Fonti|Interamente fondato|Parzialmente fondato|Scritto senza fonti|frasi|"
        "frasi supportate|citazioni utili|citazioni valide|virgolettati verificati|fatti verificati"
    ),
    Language.PT: _of(
        "Fontes|Totalmente fundamentado|Parcialmente fundamentado|Escrito sem fontes|frases|"
        "frases sustentadas|citações úteis|citações válidas|transcrições verificadas|factos verificados"
    ),
    Language.NL: _of(
        "Bronnen|Volledig onderbouwd|Deels onderbouwd|Zonder bronnen geschreven|zinnen|"
        "onderbouwde zinnen|bijdragende verwijzingen|geldige verwijzingen|gecontroleerde citaten|gecontroleerde feiten"
    ),
    Language.PL: _of(
        "Źródła|W pełni oparte na źródłach|Częściowo oparte na źródłach|Napisane bez źródeł|zdania|"
        "zdania potwierdzone|trafne przypisy|poprawne przypisy|sprawdzone cytaty|sprawdzone fakty"
    ),
    Language.SV: _of(
        "Källor|Helt underbyggd|Delvis underbyggd|Skriven utan källor|meningar|"
        "underbyggda meningar|bidragande hänvisningar|giltiga hänvisningar|kontrollerade citat|kontrollerade fakta"
    ),
    Language.NO: _of(
        "Kilder|Fullt underbygget|Delvis underbygget|Skrevet uten kilder|setninger|"
        "underbygde setninger|bidragende henvisninger|gyldige henvisninger|kontrollerte sitater|kontrollerte fakta"
    ),
    Language.DA: _of(
        "Kilder|Fuldt underbygget|Delvist underbygget|Skrevet uden kilder|sætninger|"
        "underbyggede sætninger|bidragende henvisninger|gyldige henvisninger|kontrollerede citater|kontrollerede fakta"
    ),
    Language.FI: _of(
        "Lähteet|Täysin lähteistetty|Osin lähteistetty|Kirjoitettu ilman lähteitä|virkettä|"
        "tuetut virkkeet|hyödylliset viitteet|kelvolliset viitteet|tarkistetut sitaatit|tarkistetut tiedot"
    ),
    Language.CS: _of(
        "Zdroje|Plně podloženo|Částečně podloženo|Napsáno bez zdrojů|vět|"
        "podložené věty|přínosné odkazy|platné odkazy|ověřené citáty|ověřená fakta"
    ),
    Language.HU: _of(
        "Források|Teljesen alátámasztott|Részben alátámasztott|Források nélkül írva|mondat|"
        "alátámasztott mondatok|hasznos hivatkozások|érvényes hivatkozások|ellenőrzött idézetek|ellenőrzött tények"
    ),
    Language.RO: _of(
        "Surse|Documentat integral|Documentat parțial|Scris fără surse|propoziții|"
        "propoziții susținute|citări utile|citări valide|citate verificate|fapte verificate"
    ),
    Language.EL: _of(
        "Πηγές|Πλήρως τεκμηριωμένο|Μερικώς τεκμηριωμένο|Γραμμένο χωρίς πηγές|προτάσεις|"
        "τεκμηριωμένες προτάσεις|χρήσιμες παραπομπές|έγκυρες παραπομπές|επαληθευμένα παραθέματα|επαληθευμένα στοιχεία"
    ),
    Language.TR: _of(
        "Kaynaklar|Tümüyle kaynaklı|Kısmen kaynaklı|Kaynaksız yazıldı|cümle|"
        "desteklenen cümleler|katkılı atıflar|geçerli atıflar|doğrulanan alıntılar|doğrulanan bilgiler"
    ),
    Language.UK: _of(
        "Джерела|Повністю обґрунтовано|Частково обґрунтовано|Написано без джерел|речень|"
        "підтверджені речення|корисні посилання|чинні посилання|перевірені цитати|перевірені факти"
    ),
    Language.ZH: _of("来源|全部有据|部分有据|无来源撰写|句|有据句子|有效引证|引用有效|引文核对|事实核对"),
    Language.JA: _of(
        "出典|すべて裏付けあり|一部裏付けあり|出典なしで執筆|文|"
        "裏付けのある文|寄与する引用|有効な引用|照合済みの引用文|照合済みの事実"
    ),
    Language.KO: _of(
        "출처|완전히 뒷받침됨|일부 뒷받침됨|출처 없이 작성됨|문장|"
        "뒷받침된 문장|기여하는 인용|유효한 인용|확인된 인용문|확인된 사실"
    ),
    Language.TH: _of(
        "แหล่งที่มา|มีหลักฐานครบถ้วน|มีหลักฐานบางส่วน|เขียนโดยไม่มีแหล่งที่มา|ประโยค|"
        "ประโยคที่มีหลักฐาน|การอ้างอิงที่สนับสนุน|การอ้างอิงที่ถูกต้อง|คำพูดที่ตรวจสอบแล้ว|ข้อเท็จจริงที่ตรวจสอบแล้ว"
    ),
    Language.VI: _of(
        "Nguồn|Có căn cứ đầy đủ|Có căn cứ một phần|Viết không có nguồn|câu|"
        "câu có căn cứ|trích dẫn hữu ích|trích dẫn hợp lệ|lời dẫn đã đối chiếu|dữ kiện đã đối chiếu"
    ),
    Language.ID: _of(
        "Sumber|Didukung sepenuhnya|Didukung sebagian|Ditulis tanpa sumber|kalimat|"
        "kalimat yang didukung|kutipan yang berguna|kutipan yang sah|petikan yang cocok|fakta yang cocok"
    ),
    Language.HI: _of(
        "स्रोत|पूर्णतः प्रमाणित|आंशिक रूप से प्रमाणित|बिना स्रोत लिखा गया|वाक्य|"
        "प्रमाणित वाक्य|उपयोगी संदर्भ|मान्य संदर्भ|जाँचे गए उद्धरण|जाँचे गए तथ्य"
    ),
    Language.AR: _of(
        "المصادر|موثق بالكامل|موثق جزئيا|كتب دون مصادر|جملة|"
        "جمل مدعومة|إحالات مفيدة|إحالات صالحة|اقتباسات مطابقة|حقائق مطابقة"
    ),
    Language.RU: _of(
        "Источники|Полностью обосновано|Частично обосновано|Написано без источников|предложений|"
        "подтверждённые предложения|полезные ссылки|действительные ссылки|проверенные цитаты|проверенные факты"
    ),
    Language.HE: _of(
        "מקורות|מבוסס במלואו|מבוסס חלקית|נכתב ללא מקורות|משפטים|"
        "משפטים מבוססים|הפניות תורמות|הפניות תקפות|ציטוטים מאומתים|עובדות מאומתות"
    ),
}
