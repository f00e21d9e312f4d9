"""Typography by language: quotation marks, and how an article marks what has no source."""

from __future__ import annotations

import re
from typing import Final

from attrs import frozen

from contentgen_core.model.vocabulary import Language

# Languages without spaces between words, and so without one before a citation.
UNSPACED: Final = frozenset({Language.ZH, Language.JA, Language.TH})


_MARKS: Final = '“”„«»「」"'
_MARK: Final = re.compile(f"[{_MARKS}]")


@frozen
class Typography:
    """`unsourced`: the mark of a sentence without a source; `notice`: the one of an article without any. `inner`: the
    marks of a quotation within one. Quotation marks include their inner spaces."""

    opening: str
    closing: str
    unsourced: str
    notice: str
    full_stop: str = "."
    inner: tuple[str, str] = ("‘", "’")

    def quoted(self, text: str) -> str:
        """Return the text in quotation marks, those in it as inner ones. Marks around all of it are replaced."""
        parts = _MARK.split(text)
        if len(parts) == 3 and not parts[0] and not parts[2]:
            text = parts[1].strip()
        elif len(parts) % 2:  # each opened mark is closed
            text = "".join(self._inner(part, n) for n, part in enumerate(parts))
        return f"{self.opening}{text}{self.closing}"

    def _inner(self, part: str, number: int) -> str:
        """The part of a text before its mark of this number, from 0, with the marks that are around it."""
        opening, closing = self.inner
        return f"{opening}{part.strip()}{closing}" if number % 2 else part


TYPOGRAPHY: Final[dict[Language, Typography]] = {
    Language.FR: Typography(
        "«\u202f",
        "\u202f»",
        "non sourcé",
        "Cet article a été écrit sans source\u00a0: vérifiez ce qu'il affirme avant de l'utiliser.",
        inner=("“", "”"),
    ),
    Language.EN: Typography(
        "“", "”", "unsourced", "This article was written without sources: check what it says before you use it."
    ),
    Language.ES: Typography(
        "«",
        "»",
        "sin fuente",
        "Este artículo se ha escrito sin fuentes: compruebe lo que afirma antes de utilizarlo.",
        inner=("“", "”"),
    ),
    Language.DE: Typography(
        "„",
        "“",
        "nicht belegt",
        "Dieser Artikel wurde ohne Quellen geschrieben: Bitte vor der Verwendung prüfen.",
        inner=("‚", "‘"),
    ),
    Language.IT: Typography(
        "«",
        "»",
        "senza fonte",
        "Questo articolo è stato scritto senza fonti: verificarne il contenuto prima dell'uso.",
        inner=("“", "”"),
    ),
    Language.PT: Typography(
        "“", "”", "sem fonte", "Este artigo foi escrito sem fontes: verifique o que afirma antes de o utilizar."
    ),
    Language.NL: Typography(
        "“", "”", "zonder bron", "Dit artikel is zonder bronnen geschreven: controleer de inhoud voor gebruik."
    ),
    Language.PL: Typography(
        "„",
        "”",
        "bez źródła",
        "Ten artykuł napisano bez źródeł: przed użyciem należy sprawdzić jego treść.",
        inner=("«", "»"),
    ),
    Language.SV: Typography(
        "”",
        "”",
        "utan källa",
        "Den här artikeln är skriven utan källor: kontrollera innehållet innan du använder den.",
        inner=("’", "’"),
    ),
    Language.NO: Typography(
        "«", "»", "uten kilde", "Denne artikkelen er skrevet uten kilder: kontroller innholdet før du bruker den."
    ),
    Language.DA: Typography(
        "“", "”", "uden kilde", "Denne artikel er skrevet uden kilder: kontrollér indholdet, før du bruger den."
    ),
    Language.FI: Typography(
        "”",
        "”",
        "ei lähdettä",
        "Tämä artikkeli on kirjoitettu ilman lähteitä: tarkista sen väitteet ennen käyttöä.",
        inner=("’", "’"),
    ),
    Language.CS: Typography(
        "„", "“", "bez zdroje", "Tento článek byl napsán bez zdrojů: před použitím ověřte, co tvrdí.", inner=("‚", "‘")
    ),
    Language.HU: Typography(
        "„",
        "”",
        "forrás nélkül",
        "Ez a cikk források nélkül készült: felhasználás előtt ellenőrizze az állításait.",
        inner=("»", "«"),
    ),
    Language.RO: Typography(
        "„",
        "”",
        "fără sursă",
        "Acest articol a fost scris fără surse: verificați ce afirmă înainte de a-l folosi.",
        inner=("«", "»"),
    ),
    Language.EL: Typography(
        "«",
        "»",
        "χωρίς πηγή",
        "Αυτό το άρθρο γράφτηκε χωρίς πηγές: ελέγξτε όσα αναφέρει πριν το χρησιμοποιήσετε.",
        inner=("“", "”"),
    ),
    Language.TR: Typography(
        "“", "”", "kaynaksız", "Bu makale kaynak kullanılmadan yazıldı: kullanmadan önce içeriğini kontrol edin."
    ),
    Language.UK: Typography(
        "«",
        "»",
        "без джерела",
        "Цю статтю написано без джерел: перевірте її твердження перед використанням.",
        inner=("„", "“"),
    ),
    Language.ZH: Typography("“", "”", "无来源", "本文撰写时没有任何来源：使用前请核实其内容。", "。"),
    Language.JA: Typography(
        "「",
        "」",
        "出典なし",
        "この記事は出典なしで書かれています。使用する前に内容を確認してください。",
        "。",
        inner=("『", "』"),
    ),
    Language.KO: Typography(
        "“", "”", "출처 없음", "이 글은 출처 없이 작성되었습니다. 사용하기 전에 내용을 확인하십시오."
    ),
    Language.TH: Typography("“", "”", "ไม่มีแหล่งที่มา", "บทความนี้เขียนขึ้นโดยไม่มีแหล่งที่มา โปรดตรวจสอบเนื้อหาก่อนนำไปใช้"),
    Language.VI: Typography(
        "“", "”", "không có nguồn", "Bài viết này không dựa trên nguồn nào: hãy kiểm tra nội dung trước khi sử dụng."
    ),
    Language.ID: Typography(
        "“", "”", "tanpa sumber", "Artikel ini ditulis tanpa sumber: periksa isinya sebelum digunakan."
    ),
    Language.HI: Typography(
        "“", "”", "स्रोत के बिना", "यह लेख बिना किसी स्रोत के लिखा गया है: उपयोग से पहले इसकी बातें जाँच लें।", "।"
    ),
    Language.AR: Typography(
        "«", "»", "بلا مصدر", "كُتب هذا المقال من دون مصادر: يُرجى التحقق مما ورد فيه قبل استخدامه.", inner=("“", "”")
    ),
    Language.RU: Typography(
        "«",
        "»",
        "без источника",
        "Эта статья написана без источников: проверьте её утверждения перед использованием.",
        inner=("„", "“"),
    ),
    Language.HE: Typography(
        "”", "”", "ללא מקור", "המאמר נכתב ללא מקורות: יש לבדוק את הנאמר בו לפני השימוש.", inner=("’", "’")
    ),
}
