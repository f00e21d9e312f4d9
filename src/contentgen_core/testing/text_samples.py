"""Sentences and words of each language, as a reader expects them to be segmented."""

from __future__ import annotations

from typing import Final

from contentgen_core.model.vocabulary import Language

# Each sentence as it must be found, when they stand on one line. Abbreviations, ordinals and initials do not end one.
SENTENCES: Final[dict[Language, tuple[str, ...]]] = {
    Language.FR: ("M. Dupont voit Mme. Martin à l'art. 3 du code.", "Il dit : « Il pleut. Partons ! »", "Non ?"),
    Language.EN: ("Dr. Smith met J. R. R. Tolkien in the U.S. Army.", "It costs 3.5 dollars [1].", "Really?"),
    Language.ES: ("El Sr. García vive en la pág. 5.", "¿Qué cuesta?", "¡Mucho!"),
    Language.DE: ("Am 3. Mai kam Dr. Müller, z. B. Prof. Schmidt, im 2. Weltkrieg.", "Es regnet.", "Warum?"),
    Language.IT: ("Il sig. Rossi cita l'art. 5 della legge.", "L'energia costa 3,5 euro.", "Perché?"),
    Language.PT: ("O Sr. Silva falou com a Dra. Costa.", "A energia subiu 3,5 por cento.", "Porquê?"),
    Language.NL: ("De heer dr. Jansen kwam.", "Het kost bijv. Amsterdam 3,5 miljoen.", "Waarom?"),
    Language.PL: ("Przyszedł prof. Nowak.", "To kosztuje ok. 5 zł.", "Dlaczego?"),
    Language.SV: ("Det gäller t.ex. Stockholm och Malmö.", "Det kostar 3,5 kronor.", "Varför?"),
    Language.NO: ("Det gjelder f.eks. Oslo.", "Den 3. mai kom han.", "Hvorfor?"),
    Language.DA: ("Det gælder f.eks. København.", "Den 3. maj kom han.", "Hvorfor?"),
    Language.FI: ("Se koskee esim. Helsinkiä.", "Hinta on 3,5 euroa.", "Miksi?"),
    Language.CS: ("Přišel např. Novák.", "Stalo se to 3. května 1990.", "Proč?"),
    Language.HU: ("Eljött dr. Kovács.", "Ez 3,5 euró.", "Miért?"),
    Language.RO: ("A venit dl. Popescu.", "Costă 3,5 euro.", "De ce?"),
    Language.EL: ("Ο κ. Παπαδόπουλος ήρθε.", "Τι κάνεις;", "Καλά."),
    Language.TR: ("Dr. Yılmaz geldi.", "Fiyatı 3,5 lira.", "Neden?"),
    Language.UK: ("Прийшов проф. Шевченко.", "Це коштує 3,5 гривні.", "Чому?"),
    Language.ZH: ("今天下雨。", "我们走吧！", "为什么？"),
    Language.JA: ("「行く。そうだ。」と言った。", "東京に住んでいます。", "なぜですか？"),
    Language.KO: ("서울에서 살고 있습니다.", "가격은 3.5 달러입니다.", "왜요?"),
    Language.TH: ("ประเทศไทยมีประชากรมาก",),
    Language.VI: ("TS. Nguyễn sống ở Hà Nội.", "Giá là 3,5 triệu đồng.", "Tại sao?"),
    Language.ID: ("Dr. Budi tinggal di Jakarta.", "Harganya 3,5 juta rupiah.", "Mengapa?"),
    Language.HI: ("डॉ. शर्मा आए।", "यह महंगा है।", "क्यों?"),
    Language.AR: ("الطاقة مهمة.", "ما هذا؟", "لا أعرف."),
    Language.RU: ("А. С. Пушкин писал проф. Иванову.", "Это стоит 3,5 рубля.", "Почему?"),
    Language.HE: ("האנרגיה חשובה.", "מה זה?", "איני יודע."),
}

# Forms of one word, or spellings of it, that must be counted as the same.
SAME_TERM: Final[dict[Language, tuple[tuple[str, ...], ...]]] = {
    Language.FR: (
        ("l'énergie", "énergies", "energie", "L’ÉNERGIE"),
        ("publiée", "publiees", "publiés"),
        ("cœur", "coeur"),
    ),
    Language.EN: (("system", "Systems", "system's"), ("heating", "heated", "heats"), ("cafe", "café")),
    Language.ES: (("energía", "energías", "energia"), ("instalación", "instalaciones", "instalacion")),
    Language.DE: (("Haus", "Häuser", "Häusern"), ("Wärmepumpe", "Wärmepumpen"), ("Straße", "Strasse")),
    Language.IT: (("dell'energia", "energie", "un’energia"), ("città", "citta")),
    Language.PT: (("informação", "informações", "informacao"), ("energia", "energias")),
    Language.NL: (("huis", "huizen"), ("coördinatie", "coordinatie")),
    Language.PL: (("dom", "domy", "domów"),),
    Language.SV: (("värmepump", "värmepumpar"), ("hus", "husen")),
    Language.NO: (("varmepumpe", "varmepumper"),),
    Language.DA: (("varmepumpe", "varmepumper"),),
    Language.FI: (("talo", "talossa", "taloissa"), ("EU", "EU:n")),
    Language.CS: (("město", "města"),),
    Language.HU: (("ház", "házak", "házban"),),
    Language.RO: (("energie", "energia"), ("oraş", "oraș")),
    Language.EL: (("ενέργεια", "ενέργειας", "ενεργεια", "ΕΝΕΡΓΕΙΑ"),),
    Language.TR: (("ev", "evler", "evlerde"), ("Türkiye", "Türkiye'de"), ("IŞIK", "ışık")),
    Language.UK: (("енергія", "енергії", "енергією", "енергій"),),
    Language.ZH: (("北京大学", "北京大学"),),
    Language.JA: (("データ", "ﾃﾞｰﾀ"),),
    Language.KO: (("서울", "서울에서", "서울은"),),
    Language.TH: (("ประเทศไทย", "ประเทศไทย"),),
    Language.VI: (("Năng", "năng"),),
    Language.ID: (("buku", "bukunya"),),
    Language.HI: (("किताब", "किताबें"),),
    Language.AR: (("الطاقة", "طاقة"), ("كِتَاب", "كتاب")),
    Language.RU: (("энергия", "энергии", "энергией"), ("ёлка", "елка")),
    Language.HE: (("שָׁלוֹם", "שלום"),),
}

DIFFERENT_TERMS: Final[tuple[tuple[Language, str, str], ...]] = (
    (Language.ES, "año", "ano"),
    (Language.VI, "bán", "bạn"),
    (Language.SV, "för", "for"),
    (Language.PL, "kąt", "kat"),
    (Language.CS, "byt", "být"),
    (Language.TR, "ısı", "isi"),
    (Language.UK, "й", "и"),
)

# What a figure is counted as, in the language it is written in.
NUMBERS: Final[tuple[tuple[Language, str, str], ...]] = (
    (Language.FR, "1 000", "1000"),
    (Language.FR, "1\u202f000,50", "1000.50"),
    (Language.FR, "3,5", "3.5"),
    (Language.FR, "3.5", "3.5"),
    (Language.DE, "1.000", "1000"),
    (Language.DE, "1.234.567,8", "1234567.8"),
    (Language.DE, "12.05.2024", "12.05.2024"),
    (Language.EN, "1,000", "1000"),
    (Language.EN, "1,234.5", "1234.5"),
    (Language.EN, "1.000", "1.000"),
    (Language.EN, "1'000", "1000"),
    (Language.EN, "12\u00a0500", "12500"),
    (Language.EN, "3,5", "3.5"),
    (Language.RU, "12 500", "12500"),
    (Language.AR, "١٬٠٠٠", "1000"),
    (Language.AR, "٣٫٥", "3.5"),
    (Language.HI, "१२", "12"),
    (Language.JA, "１０", "10"),
)

# (language, text, its tokens)
WORDS: Final[tuple[tuple[Language, str, tuple[str, ...]], ...]] = (
    (Language.FR, "L’énergie qu'il paie aujourd'hui", ("L’", "énergie", "qu'", "il", "paie", "aujourd'hui")),
    (Language.FR, "Il paie 1 000 € et 12,5 % de TVA", ("Il", "paie", "1 000", "€", "et", "12,5", "%", "de", "TVA")),
    (
        Language.EN,
        "Rooms 12 100 emit CO₂ on 50 m² 😀 of it¹",
        ("Rooms", "12", "100", "emit", "CO₂", "on", "50", "m²", "of", "it"),
    ),
    (Language.EN, "a well-known e-mail", ("a", "well", "known", "e", "mail")),
    (Language.EN, "😀𝒳 after 😀 emoji", ("𝒳", "after", "emoji")),
    (Language.ZH, "我们今天去北京大学。", ("我们", "今天", "去", "北京", "大学")),
    (Language.JA, "データを分析する。", ("データ", "を", "分析", "する")),
    (Language.TH, "ประเทศไทยมีประชากร", ("ประเทศไทย", "มี", "ประชากร")),
    (Language.KO, "서울에서 산다", ("서울에서", "산다")),
)

STOP_WORDS: Final[dict[Language, str]] = {
    Language.FR: "les", Language.EN: "the", Language.ES: "los", Language.DE: "und", Language.IT: "che",
    Language.PT: "para", Language.NL: "het", Language.PL: "jest", Language.SV: "och", Language.NO: "ikke",
    Language.DA: "ikke", Language.FI: "ja", Language.CS: "jsou", Language.HU: "hogy", Language.RO: "pentru",
    Language.EL: "και", Language.TR: "için", Language.UK: "який", Language.ZH: "的", Language.JA: "する",
    Language.KO: "그리고", Language.TH: "มี", Language.VI: "và", Language.ID: "yang", Language.HI: "और",
    Language.AR: "من", Language.RU: "что", Language.HE: "של",
}  # fmt: skip

# A few words of running text, enough to detect the language.
RUNNING_TEXT: Final[dict[Language, str]] = {
    Language.FR: "Une pompe à chaleur transforme la chaleur de l'air extérieur en chauffage pour la maison.",
    Language.EN: "A heat pump turns the warmth of the outside air into heating for the whole house.",
    Language.ES: "Una bomba de calor convierte el calor del aire exterior en calefacción para la casa.",
    Language.DE: "Eine Wärmepumpe macht aus der Wärme der Außenluft Heizung für das ganze Haus.",
    Language.IT: "Una pompa di calore trasforma il calore dell'aria esterna in riscaldamento per la casa.",
    Language.PT: "Uma bomba de calor transforma o calor do ar exterior em aquecimento para a casa.",
    Language.NL: "Een warmtepomp zet de warmte van de buitenlucht om in verwarming voor het hele huis.",
    Language.PL: "Pompa ciepła zamienia ciepło powietrza na zewnątrz w ogrzewanie całego domu.",
    Language.SV: "En värmepump omvandlar värmen i uteluften till uppvärmning för hela huset.",
    Language.NO: "En varmepumpe gjør varmen i uteluften om til oppvarming av hele huset, og den bruker lite strøm.",
    Language.DA: "En varmepumpe omdanner varmen i udeluften til opvarmning af hele huset og bruger kun lidt strøm.",
    Language.FI: "Lämpöpumppu muuttaa ulkoilman lämmön koko talon lämmitykseksi.",
    Language.CS: "Tepelné čerpadlo mění teplo venkovního vzduchu na vytápění celého domu.",
    Language.HU: "A hőszivattyú a külső levegő melegét az egész ház fűtésévé alakítja.",
    Language.RO: "O pompă de căldură transformă căldura aerului exterior în încălzire pentru casă.",
    Language.EL: "Η αντλία θερμότητας μετατρέπει τη ζεστασιά του αέρα σε θέρμανση για το σπίτι.",
    Language.TR: "Isı pompası dış havanın sıcaklığını bütün evin ısıtmasına dönüştürür.",
    Language.UK: "Тепловий насос перетворює тепло зовнішнього повітря на опалення всього будинку.",
    Language.ZH: "热泵把室外空气的热量转化为整个房屋的供暖。",
    Language.JA: "ヒートポンプは外気の熱を家全体の暖房に変える。",
    Language.KO: "히트펌프는 바깥 공기의 열을 집 전체의 난방으로 바꾼다.",
    Language.TH: "ปั๊มความร้อนเปลี่ยนความร้อนของอากาศภายนอกให้เป็นความอบอุ่นในบ้าน",
    Language.VI: "Máy bơm nhiệt biến hơi ấm của không khí bên ngoài thành nhiệt sưởi cho cả ngôi nhà.",
    Language.ID: "Pompa panas mengubah panas udara luar menjadi pemanas untuk seluruh rumah.",
    Language.HI: "हीट पंप बाहर की हवा की गर्मी को पूरे घर के ताप में बदल देता है।",
    Language.AR: "تحول المضخة الحرارية دفء الهواء الخارجي إلى تدفئة للمنزل كله.",
    Language.RU: "Тепловой насос превращает тепло наружного воздуха в отопление всего дома, и это выгодно.",
    Language.HE: "משאבת חום הופכת את חום האוויר שבחוץ לחימום של כל הבית.",
}
