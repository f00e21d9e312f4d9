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
    run: str  # most words in a row taken over outside quotations
    copied: str  # share of runs of 8 words taken over outside quotations


def _parse(line: str) -> Labels:
    return Labels(*(part.strip() for part in line.split("|")))


LABELS: Final[dict[Language, Labels]] = {
    Language.EN: _parse(
        "Sources|Fully grounded|Partly grounded|Written without sources|sentences|"
        "sentences supported|citations that contribute|valid citations|quotations matched|facts matched|"
        "longest copied run, words|copied 8-word runs"
    ),
    Language.FR: _parse(
        "Sources|Entièrement sourcé|Partiellement sourcé|Rédigé sans sources|phrases|"
        "phrases étayées|citations utiles|citations valides|citations textuelles vérifiées|faits vérifiés|"
        "plus longue reprise, en mots|suites de 8 mots reprises"
    ),
    Language.ES: _parse(
        "Fuentes|Totalmente fundamentado|Parcialmente fundamentado|Escrito sin fuentes|frases|"
        "frases respaldadas|citas que aportan|citas válidas|citas textuales verificadas|datos verificados|"
        "copia seguida más larga, en palabras|secuencias de 8 palabras copiadas"
    ),
    Language.DE: _parse(
        "Quellen|Vollständig belegt|Teilweise belegt|Ohne Quellen verfasst|Sätze|"
        "belegte Sätze|beitragende Belege|gültige Belege|geprüfte Zitate|geprüfte Fakten|"
        "längste wörtliche Übernahme, Wörter|übernommene 8-Wort-Folgen"
    ),
    Language.IT: _parse(
        "Fonti|Interamente fondato|Parzialmente fondato|Scritto senza fonti|frasi|"
        "frasi supportate|citazioni utili|citazioni valide|virgolettati verificati|fatti verificati|"
        "sequenza copiata più lunga, in parole|sequenze di 8 parole copiate"
    ),
    Language.PT: _parse(
        "Fontes|Totalmente fundamentado|Parcialmente fundamentado|Escrito sem fontes|frases|"
        "frases sustentadas|citações úteis|citações válidas|transcrições verificadas|factos verificados|"
        "maior sequência copiada, em palavras|sequências de 8 palavras copiadas"
    ),
    Language.NL: _parse(
        "Bronnen|Volledig onderbouwd|Deels onderbouwd|Zonder bronnen geschreven|zinnen|"
        "onderbouwde zinnen|bijdragende verwijzingen|geldige verwijzingen|gecontroleerde citaten|gecontroleerde feiten|"
        "langste overgenomen reeks, in woorden|overgenomen reeksen van 8 woorden"
    ),
    Language.PL: _parse(
        "Źródła|W pełni oparte na źródłach|Częściowo oparte na źródłach|Napisane bez źródeł|zdania|"
        "zdania potwierdzone|trafne przypisy|poprawne przypisy|sprawdzone cytaty|sprawdzone fakty|"
        "najdłuższy przejęty ciąg, w słowach|przejęte ciągi 8 słów"
    ),
    Language.SV: _parse(
        "Källor|Helt underbyggd|Delvis underbyggd|Skriven utan källor|meningar|"
        "underbyggda meningar|bidragande hänvisningar|giltiga hänvisningar|kontrollerade citat|kontrollerade fakta|"
        "längsta övertagna ordföljd|övertagna följder om 8 ord"
    ),
    Language.NO: _parse(
        "Kilder|Fullt underbygget|Delvis underbygget|Skrevet uten kilder|setninger|"
        "underbygde setninger|bidragende henvisninger|gyldige henvisninger|kontrollerte sitater|kontrollerte fakta|"
        "lengste overtatte ordrekke|overtatte rekker på 8 ord"
    ),
    Language.DA: _parse(
        "Kilder|Fuldt underbygget|Delvist underbygget|Skrevet uden kilder|sætninger|"
        "underbyggede sætninger|bidragende henvisninger|gyldige henvisninger|kontrollerede citater|kontrollerede fakta|"
        "længste overtagne ordrække|overtagne rækker på 8 ord"
    ),
    Language.FI: _parse(
        "Lähteet|Täysin lähteistetty|Osin lähteistetty|Kirjoitettu ilman lähteitä|virkettä|"
        "tuetut virkkeet|hyödylliset viitteet|kelvolliset viitteet|tarkistetut sitaatit|tarkistetut tiedot|"
        "pisin sanatarkka jakso, sanaa|kopioidut 8 sanan jaksot"
    ),
    Language.CS: _parse(
        "Zdroje|Plně podloženo|Částečně podloženo|Napsáno bez zdrojů|vět|"
        "podložené věty|přínosné odkazy|platné odkazy|ověřené citáty|ověřená fakta|"
        "nejdelší převzatý úsek, slov|převzaté úseky o 8 slovech"
    ),
    Language.HU: _parse(
        "Források|Teljesen alátámasztott|Részben alátámasztott|Források nélkül írva|mondat|"
        "alátámasztott mondatok|hasznos hivatkozások|érvényes hivatkozások|ellenőrzött idézetek|ellenőrzött tények|"
        "leghosszabb átvett szósor|átvett 8 szavas sorok"
    ),
    Language.RO: _parse(
        "Surse|Documentat integral|Documentat parțial|Scris fără surse|propoziții|"
        "propoziții susținute|citări utile|citări valide|citate verificate|fapte verificate|"
        "cel mai lung șir preluat, în cuvinte|șiruri de 8 cuvinte preluate"
    ),
    Language.EL: _parse(
        "Πηγές|Πλήρως τεκμηριωμένο|Μερικώς τεκμηριωμένο|Γραμμένο χωρίς πηγές|προτάσεις|"
        "τεκμηριωμένες προτάσεις|χρήσιμες παραπομπές|έγκυρες παραπομπές|επαληθευμένα παραθέματα|επαληθευμένα στοιχεία|"
        "μεγαλύτερη αυτούσια ακολουθία, λέξεις|αυτούσιες ακολουθίες 8 λέξεων"
    ),
    Language.TR: _parse(
        "Kaynaklar|Tümüyle kaynaklı|Kısmen kaynaklı|Kaynaksız yazıldı|cümle|"
        "desteklenen cümleler|katkılı atıflar|geçerli atıflar|doğrulanan alıntılar|doğrulanan bilgiler|"
        "en uzun aynen alınan dizi, sözcük|aynen alınan 8 sözcüklük diziler"
    ),
    Language.UK: _parse(
        "Джерела|Повністю обґрунтовано|Частково обґрунтовано|Написано без джерел|речень|"
        "підтверджені речення|корисні посилання|чинні посилання|перевірені цитати|перевірені факти|"
        "найдовший дослівний уривок, слів|дослівні уривки з 8 слів"
    ),
    Language.ZH: _parse(
        "来源|全部有据|部分有据|无来源撰写|句|有据句子|有效引证|引用有效|引文核对|事实核对|最长照搬词数|照搬的8词串"
    ),
    Language.JA: _parse(
        "出典|すべて裏付けあり|一部裏付けあり|出典なしで執筆|文|"
        "裏付けのある文|寄与する引用|有効な引用|照合済みの引用文|照合済みの事実|"
        "最長の逐語一致（語数）|逐語一致の8語連続"
    ),
    Language.KO: _parse(
        "출처|완전히 뒷받침됨|일부 뒷받침됨|출처 없이 작성됨|문장|"
        "뒷받침된 문장|기여하는 인용|유효한 인용|확인된 인용문|확인된 사실|"
        "가장 긴 그대로 옮긴 단어 수|그대로 옮긴 8단어 묶음"
    ),
    Language.TH: _parse(
        "แหล่งที่มา|มีหลักฐานครบถ้วน|มีหลักฐานบางส่วน|เขียนโดยไม่มีแหล่งที่มา|ประโยค|"
        "ประโยคที่มีหลักฐาน|การอ้างอิงที่สนับสนุน|การอ้างอิงที่ถูกต้อง|คำพูดที่ตรวจสอบแล้ว|ข้อเท็จจริงที่ตรวจสอบแล้ว|"
        "ข้อความตรงกันยาวที่สุด (คำ)|ชุด 8 คำที่คัดลอก"
    ),
    Language.VI: _parse(
        "Nguồn|Có căn cứ đầy đủ|Có căn cứ một phần|Viết không có nguồn|câu|"
        "câu có căn cứ|trích dẫn hữu ích|trích dẫn hợp lệ|lời dẫn đã đối chiếu|dữ kiện đã đối chiếu|"
        "chuỗi chép nguyên văn dài nhất, số từ|chuỗi 8 từ chép nguyên văn"
    ),
    Language.ID: _parse(
        "Sumber|Didukung sepenuhnya|Didukung sebagian|Ditulis tanpa sumber|kalimat|"
        "kalimat yang didukung|kutipan yang berguna|kutipan yang sah|petikan yang cocok|fakta yang cocok|"
        "rangkaian salinan terpanjang, kata|rangkaian 8 kata yang disalin"
    ),
    Language.HI: _parse(
        "स्रोत|पूर्णतः प्रमाणित|आंशिक रूप से प्रमाणित|बिना स्रोत लिखा गया|वाक्य|"
        "प्रमाणित वाक्य|उपयोगी संदर्भ|मान्य संदर्भ|जाँचे गए उद्धरण|जाँचे गए तथ्य|"
        "सबसे लंबा हूबहू अंश, शब्द|हूबहू लिए गए 8-शब्द अंश"
    ),
    Language.AR: _parse(
        "المصادر|موثق بالكامل|موثق جزئيا|كتب دون مصادر|جملة|"
        "جمل مدعومة|إحالات مفيدة|إحالات صالحة|اقتباسات مطابقة|حقائق مطابقة|"
        "أطول نقل حرفي بالكلمات|متتاليات منقولة من 8 كلمات"
    ),
    Language.RU: _parse(
        "Источники|Полностью обосновано|Частично обосновано|Написано без источников|предложений|"
        "подтверждённые предложения|полезные ссылки|действительные ссылки|проверенные цитаты|проверенные факты|"
        "самый длинный дословный фрагмент, слов|дословные фрагменты из 8 слов"
    ),
    Language.HE: _parse(
        "מקורות|מבוסס במלואו|מבוסס חלקית|נכתב ללא מקורות|משפטים|"
        "משפטים מבוססים|הפניות תורמות|הפניות תקפות|ציטוטים מאומתים|עובדות מאומתות|"
        "הרצף המועתק הארוך ביותר, במילים|רצפים מועתקים של 8 מילים"
    ),
}
