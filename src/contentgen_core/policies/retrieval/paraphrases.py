"""Eight everyday statements in each language, each with a paraphrase that shares hardly a word with it.

They test embedders: one that models the language pairs each statement with its paraphrase, one that compares characters
pairs them by chance (one in eight). All statements are about different things, so that only one pairing is right."""

from __future__ import annotations

from typing import Final

from contentgen_core.model.vocabulary import Language

_TEXTS: Final[dict[Language, str]] = {
    Language.FR: """
        Le chien aboie contre les inconnus | Un animal de compagnie éloigne ceux qu'il n'a jamais vus
        Il pleut depuis l'aube | Temps mouillé toute la matinée
        Elle cuit le dîner pour les enfants | La mère prépare le repas du soir de ses petits
        Le magasin ferme à huit heures | On ne peut plus rien y acheter tard le soir
        Il s'est cassé la jambe dans l'escalier | Une chute sur les marches lui a brisé l'os
        Le bébé dort enfin | Notre nourrisson fait une sieste
        Ils ont acheté une nouvelle maison | Le couple a emménagé dans son propre logement
        Ma voiture ne voulait pas démarrer | Le moteur du véhicule restait muet""",
    Language.EN: """
        The dog barks at strangers | A pet warns off unknown people
        It has been raining since dawn | Wet weather all morning long
        She cooks dinner for the children | The mother prepares an evening meal for her kids
        The shop shuts at eight | You can no longer buy anything there late in the evening
        He broke his leg on the stairs | A fall in the stairwell fractured the bone
        The baby sleeps at last | Our little one is finally having a nap
        They bought a new house | The couple moved into their own home
        My car would not start | The vehicle's engine stayed dead""",
    Language.ES: """
        El perro ladra a los extraños | Una mascota ahuyenta a quienes nunca ha visto
        Llueve desde el amanecer | Tiempo húmedo toda la mañana
        Ella cocina la cena para los niños | La madre prepara la comida de la noche a sus pequeños
        La tienda cierra a las ocho | Ya no se puede comprar nada allí por la noche
        Se rompió la pierna en la escalera | Una caída por los peldaños le fracturó el hueso
        El bebé duerme por fin | Nuestra criatura está echando una siesta
        Compraron una casa nueva | La pareja se mudó a su propia vivienda
        Mi coche no arrancaba | El motor del vehículo seguía muerto""",
    Language.DE: """
        Der Hund bellt Fremde an | Ein Haustier verjagt Unbekannte
        Es regnet seit dem Morgengrauen | Nasses Wetter den ganzen Vormittag
        Sie kocht den Kindern das Abendessen | Die Mutter bereitet für ihre Kleinen eine späte Mahlzeit zu
        Der Laden schließt um acht | Spätabends kann man dort nichts mehr kaufen
        Er hat sich auf der Treppe das Bein gebrochen | Ein Sturz über die Stufen verletzte seinen Knochen
        Das Baby schläft endlich | Unser Säugling macht ein Nickerchen
        Sie haben ein neues Haus gekauft | Das Paar ist ins Eigenheim gezogen
        Mein Auto sprang nicht an | Der Motor des Wagens blieb stumm""",
    Language.IT: """
        Il cane abbaia agli sconosciuti | Un animale domestico allontana chi non ha mai visto
        Piove dall'alba | Tempo umido per tutta la mattina
        Lei cucina la cena per i bambini | La madre prepara il pasto serale ai suoi piccoli
        Il negozio chiude alle otto | A tarda sera lì non si può più comprare nulla
        Si è rotto la gamba sulle scale | Una caduta dai gradini gli ha fratturato l'osso
        Il neonato finalmente dorme | La nostra creatura sta facendo un pisolino
        Hanno comprato una casa nuova | La coppia si è trasferita in un'abitazione propria
        La mia macchina non partiva | Il motore del veicolo restava spento""",
    Language.PT: """
        O cão ladra aos estranhos | Um animal de estimação afasta quem nunca viu
        Chove desde a madrugada | Tempo molhado durante toda a manhã
        Ela cozinha o jantar para as crianças | A mãe prepara a refeição da noite dos seus pequenos
        A loja fecha às oito | Já não se pode comprar nada ali tarde da noite
        Ele partiu a perna na escada | Uma queda nos degraus fraturou-lhe o osso
        O bebê dorme finalmente | O nosso recém-nascido está a fazer uma sesta
        Compraram uma casa nova | O casal mudou-se para a sua própria moradia
        O meu carro não pegava | O motor do veículo continuava morto""",
    Language.NL: """
        De hond blaft naar vreemden | Een huisdier verjaagt onbekende mensen
        Het regent sinds zonsopgang | Nat weer de hele ochtend
        Zij kookt het avondeten voor de kinderen | De moeder bereidt een late maaltijd voor haar kroost
        De winkel sluit om acht uur | Laat op de avond kun je daar niets meer kopen
        Hij brak zijn been op de trap | Een val van de treden beschadigde het bot
        De baby slaapt eindelijk | Onze kleine doet een dutje
        Ze hebben een nieuw huis gekocht | Het stel is naar een eigen woning verhuisd
        Mijn auto wilde niet starten | De motor van het voertuig bleef stil""",
    Language.PL: """
        Pies szczeka na obcych | Zwierzę domowe odstrasza nieznajomych
        Pada od świtu | Mokra pogoda przez cały ranek
        Ona gotuje dzieciom kolację | Matka przygotowuje wieczorny posiłek dla swoich maluchów
        Sklep zamyka się o ósmej | Późnym wieczorem nic już tam nie kupisz
        Złamał nogę na schodach | Upadek ze stopni uszkodził mu kość
        Niemowlę wreszcie śpi | Nasz maluszek uciął sobie drzemkę
        Kupili nowy dom | Para wprowadziła się do własnego mieszkania
        Mój samochód nie chciał zapalić | Silnik pojazdu milczał""",
    Language.SV: """
        Hunden skäller på främlingar | Ett husdjur skrämmer bort okända människor
        Det har regnat sedan gryningen | Blött väder hela morgonen
        Hon lagar middag till barnen | Modern gör i ordning kvällsmat åt sina små
        Affären stänger klockan åtta | Sent på kvällen kan man inte köpa något där
        Han bröt benet i trappan | Ett fall på trappstegen skadade skelettet
        Bebisen sover äntligen | Vår lilla tar sig en tupplur
        De har köpt ett nytt hus | Paret har flyttat till eget boende
        Min bil ville inte starta | Fordonets motor förblev död""",
    Language.NO: """
        Hunden bjeffer på fremmede | Et kjæledyr skremmer bort ukjente mennesker
        Det har regnet siden daggry | Vått vær hele morgenen
        Hun lager middag til barna | Moren gjør klar kveldsmat til de små sine
        Butikken stenger klokka åtte | Sent på kvelden får man ikke kjøpt noe der
        Han brakk beinet i trappa | Et fall på trinnene skadet knokkelen
        Babyen sover endelig | Den lille vår tar seg en lur
        De har kjøpt et nytt hus | Paret har flyttet til egen bolig
        Bilen min ville ikke starte | Motoren i kjøretøyet forble død""",
    Language.DA: """
        Hunden gør ad fremmede | Et kæledyr skræmmer ukendte mennesker væk
        Det har regnet siden daggry | Vådt vejr hele morgenen
        Hun laver middag til børnene | Moderen tilbereder aftensmad til sine små
        Butikken lukker klokken otte | Sent om aftenen kan man ikke købe noget der
        Han brækkede benet på trappen | Et fald på trinene beskadigede knoglen
        Babyen sover endelig | Vores lille tager sig en lur
        De har købt et nyt hus | Parret er flyttet i egen bolig
        Min bil ville ikke starte | Køretøjets motor forblev død""",
    Language.FI: """
        Koira haukkuu vieraita | Lemmikki karkottaa tuntemattomat ihmiset
        Aamunkoitosta asti on satanut | Märkä sää koko aamupäivän
        Hän laittaa lapsille päivällistä | Äiti valmistaa iltaruokaa pienokaisilleen
        Kauppa suljetaan kahdeksalta | Myöhään illalla sieltä ei saa enää ostettua mitään
        Hän mursi jalkansa portaissa | Kaatuminen askelmilla vaurioitti luuta
        Vauva nukkuu vihdoin | Pienokaisemme ottaa torkut
        He ostivat uuden talon | Pariskunta muutti omaan kotiin
        Autoni ei käynnistynyt | Ajoneuvon moottori pysyi mykkänä""",
    Language.CS: """
        Pes štěká na cizí | Domácí zvíře odhání neznámé lidi
        Prší od úsvitu | Mokré počasí celé dopoledne
        Vaří dětem večeři | Matka chystá svým malým pozdní jídlo
        Obchod zavírá v osm | Pozdě večer už tam nic nekoupíte
        Zlomil si nohu na schodech | Pád ze stupňů mu poškodil kost
        Miminko konečně spí | Náš drobeček si dal šlofíka
        Koupili nový dům | Pár se přestěhoval do vlastního bydlení
        Moje auto nechtělo nastartovat | Motor vozidla zůstal mrtvý""",
    Language.HU: """
        A kutya megugatja az idegeneket | Egy háziállat elriasztja az ismeretlen embereket
        Hajnal óta esik | Nedves idő egész délelőtt
        Vacsorát főz a gyerekeknek | Az anya esti ételt készít a kicsinyeinek
        A bolt nyolckor zár | Késő este ott már semmit sem lehet venni
        Eltörte a lábát a lépcsőn | Egy esés a fokokon megsértette a csontját
        A baba végre alszik | A kicsink szundikál egyet
        Új házat vettek | A pár saját otthonba költözött
        Nem indult az autóm | A jármű motorja néma maradt""",
    Language.RO: """
        Câinele latră la străini | Un animal de companie alungă oamenii necunoscuți
        Plouă din zori | Vreme umedă toată dimineața
        Ea gătește cina pentru copii | Mama pregătește masa de seară celor mici
        Magazinul se închide la opt | Seara târziu nu mai poți cumpăra nimic acolo
        Și-a rupt piciorul pe scări | O cădere pe trepte i-a fracturat osul
        Bebelușul doarme în sfârșit | Micuțul nostru trage un pui de somn
        Au cumpărat o casă nouă | Cuplul s-a mutat în propria locuință
        Mașina mea nu voia să pornească | Motorul vehiculului rămânea mort""",
    Language.EL: """
        Ο σκύλος γαβγίζει στους ξένους | Ένα κατοικίδιο διώχνει αγνώστους
        Βρέχει από την αυγή | Υγρός καιρός όλο το πρωί
        Μαγειρεύει βραδινό για τα παιδιά | Η μητέρα ετοιμάζει το δείπνο των μικρών της
        Το μαγαζί κλείνει στις οκτώ | Αργά το βράδυ δεν μπορείς πια να αγοράσεις τίποτα εκεί
        Έσπασε το πόδι του στις σκάλες | Μια πτώση στα σκαλοπάτια τραυμάτισε το κόκαλο
        Το μωρό επιτέλους κοιμάται | Το βρέφος μας παίρνει έναν υπνάκο
        Αγόρασαν καινούργιο σπίτι | Το ζευγάρι μετακόμισε σε δική του κατοικία
        Το αυτοκίνητό μου δεν έπαιρνε μπρος | Η μηχανή του οχήματος έμενε νεκρή""",
    Language.TR: """
        Köpek yabancılara havlıyor | Bir evcil hayvan tanımadığı kişileri uzaklaştırıyor
        Şafaktan beri yağmur yağıyor | Bütün sabah ıslak hava
        Çocuklara akşam yemeği pişiriyor | Anne yavrularına sofra hazırlıyor
        Dükkân saat sekizde kapanıyor | Gece geç vakitte oradan artık bir şey satın alınamaz
        Merdivende bacağını kırdı | Basamaklardan düşünce kemiği zarar gördü
        Bebek sonunda uyuyor | Minik yavrumuz kestiriyor
        Yeni bir ev aldılar | Çift kendi konutuna taşındı
        Arabam çalışmadı | Aracın motoru ölü kaldı""",
    Language.UK: """
        Пес гавкає на чужих | Домашня тварина відлякує незнайомців
        Дощ іде від світанку | Мокра погода весь ранок
        Вона готує дітям вечерю | Мати варить пізню їжу для своїх малят
        Крамниця зачиняється о восьмій | Пізно ввечері там уже нічого не купиш
        Він зламав ногу на сходах | Падіння зі східців пошкодило кістку
        Немовля нарешті спить | Наш малюк задрімав
        Вони купили новий будинок | Подружжя переїхало у власне житло
        Моє авто не заводилося | Двигун машини мовчав""",
    Language.ID: """
        Anjing menggonggong pada orang asing | Hewan peliharaan mengusir yang tak dikenalnya
        Hujan turun sejak fajar | Cuaca basah sepanjang pagi
        Dia memasak makan malam untuk anak-anak | Sang ibu menyiapkan hidangan bagi buah hatinya
        Toko tutup pukul delapan | Larut malam kita tidak bisa lagi membeli apa pun di sana
        Kakinya patah di tangga | Ia terjatuh dari undakan hingga tulangnya retak
        Bayi itu akhirnya tidur | Si kecil kami sedang terlelap
        Mereka membeli rumah baru | Pasangan itu pindah ke kediaman sendiri
        Mobil saya tidak mau menyala | Mesin kendaraan tetap mati""",
    Language.VI: """
        Con chó sủa người lạ | Thú cưng xua đuổi những ai nó chưa từng gặp
        Trời mưa từ lúc bình minh | Thời tiết ẩm ướt suốt buổi sáng
        Cô ấy nấu bữa tối cho các con | Người mẹ chuẩn bị cơm chiều cho lũ trẻ
        Cửa hàng đóng cửa lúc tám giờ | Đêm khuya không còn mua được gì ở đó nữa
        Anh ấy gãy chân ở cầu thang | Cú ngã trên bậc thềm làm nứt xương
        Em bé cuối cùng đã ngủ | Đứa nhỏ nhà tôi đang chợp mắt
        Họ đã mua một ngôi nhà mới | Cặp vợ chồng dọn vào chỗ ở riêng
        Xe hơi của tôi không nổ máy | Động cơ chiếc ô tô vẫn im lìm""",
    Language.HI: """
        कुत्ता अजनबियों पर भौंकता है | एक पालतू जानवर अनजान लोगों को भगाता है
        भोर से बारिश हो रही है | सारी सुबह गीला मौसम
        वह बच्चों के लिए रात का खाना पकाती है | माँ अपने नन्हों का शाम का भोजन तैयार करती है
        दुकान आठ बजे बंद होती है | देर शाम वहाँ कुछ नहीं खरीदा जा सकता
        सीढ़ियों पर उसका पैर टूट गया | ज़ीने से गिरने पर हड्डी में चोट आई
        शिशु आखिरकार सो गया | हमारा मुन्ना झपकी ले रहा है
        उन्होंने नया घर खरीदा | दंपति अपने मकान में रहने चला गया
        मेरी कार चालू नहीं हुई | गाड़ी का इंजन बंद ही रहा""",
    Language.TH: """
        สุนัขเห่าคนแปลกหน้า | สัตว์เลี้ยงไล่ผู้ที่มันไม่รู้จัก
        ฝนตกตั้งแต่รุ่งสาง | อากาศเปียกชื้นตลอดเช้า
        เธอทำอาหารเย็นให้เด็ก ๆ | แม่เตรียมมื้อค่ำให้ลูกน้อย
        ร้านปิดตอนสองทุ่ม | ดึก ๆ ซื้ออะไรที่นั่นไม่ได้แล้ว
        เขาขาหักที่บันได | การตกจากขั้นบันไดทำให้กระดูกแตก
        ทารกหลับเสียที | เจ้าตัวเล็กของเรากำลังงีบ
        พวกเขาซื้อบ้านใหม่ | สามีภรรยาย้ายเข้าที่อยู่ของตัวเอง
        รถของฉันสตาร์ตไม่ติด | เครื่องยนต์ของยานพาหนะยังเงียบ""",
    Language.AR: """
        الكلب ينبح على الغرباء | حيوان أليف يطرد من لا يعرفهم
        تمطر منذ الفجر | طقس رطب طوال الصباح
        تطبخ العشاء للأطفال | الأم تعد وجبة المساء لصغارها
        يغلق المتجر في الثامنة | لا يمكن شراء شيء من هناك في وقت متأخر من الليل
        كسر ساقه على الدرج | سقوط من السلالم أصاب عظمه
        الرضيع نائم أخيرا | صغيرنا يأخذ غفوة
        اشتروا بيتا جديدا | انتقل الزوجان إلى مسكنهما الخاص
        سيارتي لم تعمل | بقي محرك المركبة صامتا""",
    Language.HE: """
        הכלב נובח על זרים | חיית מחמד מגרשת אנשים לא מוכרים
        יורד גשם מאז הזריחה | מזג אוויר רטוב כל הבוקר
        היא מבשלת ארוחת ערב לילדים | האם מכינה אוכל לקטנים שלה
        החנות נסגרת בשמונה | מאוחר בלילה כבר אי אפשר לקנות שם דבר
        הוא שבר את הרגל במדרגות | נפילה בגרם המעלות פגעה בעצם
        התינוק ישן סוף סוף | הפעוט שלנו מנמנם
        הם קנו בית חדש | הזוג עבר לדירה משלו
        המכונית שלי לא הניעה | המנוע של הרכב נשאר דומם""",
    Language.JA: """
        犬が見知らぬ人に吠える | ペットが知らない相手を追い払う
        夜明けから雨が降っている | 午前中ずっと濡れた天気だ
        彼女は子供たちに夕食を作る | 母親がわが子の晩ご飯を用意する
        店は八時に閉まる | 夜遅くにはそこで何も買えない
        彼は階段で足を折った | 段から落ちて骨にひびが入った
        赤ちゃんがやっと眠った | うちの幼い子は昼寝をしている
        彼らは新しい家を買った | 夫婦は自分たちの住まいに引っ越した
        私の車は動かなかった | 乗り物のエンジンがかからないままだった""",
    Language.KO: """
        개가 낯선 사람을 보고 짖는다 | 반려동물이 모르는 이를 쫓아낸다
        새벽부터 비가 내린다 | 오전 내내 축축한 날씨다
        그녀는 아이들에게 저녁을 해 준다 | 어머니가 자식들의 밥상을 차린다
        가게는 여덟 시에 문을 닫는다 | 밤늦게는 거기서 아무것도 살 수 없다
        그는 계단에서 다리가 부러졌다 | 층계에서 넘어져 뼈를 다쳤다
        아기가 드디어 잔다 | 우리 갓난이가 낮잠에 들었다
        그들은 새 집을 샀다 | 부부가 자기 주택으로 이사했다
        내 차는 시동이 걸리지 않았다 | 자동차 엔진이 꺼진 채였다""",
    Language.ZH: """
        狗对陌生人叫 | 宠物赶走不认识的来客
        从黎明起一直下雨 | 整个上午天气潮湿
        她给孩子们做晚饭 | 母亲为小家伙准备夜间的餐食
        商店八点关门 | 深夜在那里什么也买不到
        他在楼梯上摔断了腿 | 从台阶跌落伤了骨头
        婴儿终于睡着了 | 我们的宝宝正在打盹
        他们买了新房子 | 夫妻俩搬进了自己的住宅
        我的汽车发动不了 | 车辆的引擎没有动静""",
    Language.RU: """
        Собака лает на чужих | Домашнее животное отпугивает незнакомцев
        Дождь идёт с рассвета | Мокрая погода всё утро
        Она готовит детям ужин | Мать варит малышам вечернюю еду
        Магазин закрывается в восемь | Поздно вечером там уже ничего не купишь
        Он сломал ногу на лестнице | Падение со ступенек повредило кость
        Младенец наконец спит | Наш малютка задремал
        Они купили новый дом | Супруги переехали в собственное жильё
        Моя машина не заводилась | Двигатель автомобиля молчал""",
}


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    lines = (line.partition(" | ") for line in text.strip().splitlines())
    return tuple((one.strip(), other.strip()) for one, _, other in lines)


PARAPHRASES: Final = {language: _pairs(text) for language, text in _TEXTS.items()}
"""For each of the 28 languages: (statement, paraphrase), no two pairs with the same meaning."""
