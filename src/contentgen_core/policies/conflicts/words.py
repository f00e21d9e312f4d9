"""The words by which two sentences are compared, as data: in the order of the languages en, fr, de, es, it, pt, nl."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from contentgen_core.model.vocabulary import Language

Words = Mapping[Language, frozenset[str]]
_LANGUAGES: Final = (Language.EN, Language.FR, Language.DE, Language.ES, Language.IT, Language.PT, Language.NL)


def _words(*texts: str) -> Words:
    """Words per language, in order; empty for unsupported languages."""
    known = dict(zip(_LANGUAGES, texts, strict=True))
    return {language: frozenset(known.get(language, "").split()) for language in Language}


ABOUT: Final = _words(
    "about around approximately roughly nearly almost some circa ca",
    "environ près presque quelque approximativement autour",
    "etwa rund ungefähr circa ca knapp fast annähernd gut",
    "aproximadamente unos unas cerca casi alrededor",
    "circa quasi intorno approssimativamente",
    "aproximadamente cerca quase",
    "ongeveer circa bijna rond zowat",
)
"""Before a figure that is not meant exactly."""

BEYOND: Final = _words(
    "over above below under than beyond exceeding exceeds exceed exceeded least",
    "dépasse dépassent dépassant moins plus",
    "über unter mehr weniger mindestens wenigstens",
    "más menos supera superan",
    "più meno oltre almeno",
    "mais menos supera",
    "meer minder boven minstens",
)
"""Before a figure that is only a bound: others may hold as well."""

TELLING: Final = _words(
    "before after over under above below until since per each every all some other both half most only except without "
    "against between if when where",
    "avant après depuis jusque chaque tous toutes autre autres seulement sauf sans entre si quand contre",
    "vor nach über unter seit bis pro jede jeder jedes alle andere anderen nur außer ohne zwischen wenn falls gegen",
    "antes después desde hasta cada todos todas otro otra otros otras solo sólo salvo sin entre si cuando contra",
    "prima dopo da fino ogni tutti tutte altro altra solo tranne senza tra se quando contro",
    "antes depois desde até cada todos todas outro outra apenas exceto sem entre se quando contra",
    "voor na sinds tot elke alle andere alleen behalve zonder tussen als wanneer tegen",
)
"""Stop words that change what a sentence is on, so that both have to have them."""

FUNCTION: Final = _words(
    "the a an of in on at by to for from with and or as is are was were be been being has have had having do does did "
    "it its he she him they them their his her our we us you your i my that which who whom whose there here will would "
    "can could may might shall should must then than so into onto upon about around approximately nearly almost some "
    "roughly just both not no also but while during within among through via up down out off due because thus",
    "le la les l un une des du de d à au aux en dans sur par pour avec et ou que qui dont où est sont était étaient "
    "été être a ont avait avaient avoir fut il elle ils elles on se s son sa ses leur leurs ne n pas y ainsi donc mais "
    "environ près presque comme lors",
    "der die das den dem des ein eine einen einem einer eines in im an am auf bei zu zum zur von vom mit für und oder "
    "als ist sind war waren wird werden wurde wurden worden hat haben hatte hatten sein seine seiner ihr ihre ihren er "
    "sie es sich man dass daß auch so da dort nicht kein keine etwa rund ungefähr aus durch um je",
    "el la los las un una unos unas de del a al en con por para y e o u que se su sus es son era eran fue fueron ser "
    "sido está están ha han había lo le les él ella no como también así cerca casi",
    "il lo la gli le i un una uno di del della dei delle a al alla ai in nel nella con per da dal dalla su sul e ed o "
    "che si suo sua suoi è sono era erano fu furono essere stato stata ha hanno aveva non come anche così circa",
    "o a os as um uma uns umas de do da dos das em no na nos nas com por para e ou que se seu sua seus é são era eram "
    "foi foram ser sido está estão tem têm não como também assim cerca",
    "de het een van in op te aan bij met voor en of als is zijn was waren wordt worden werd werden heeft hebben had er "
    "hij zij ze het zich dat die niet geen ook dus naar door om per circa ongeveer",
)
"""Words without a say in what a sentence is on. Of other languages: the stop words."""

LABELS: Final = _words(
    "season episode batch chapter section article annex table figure step module lesson unit volume page phase version "
    "level grade class type series part act number no round stage week day group form route line highway channel "
    "seasons episodes chapters sections articles steps pages phases levels grades classes rounds weeks days groups",
    "saison épisode chapitre section article annexe tableau étape tome niveau classe série partie acte numéro route",
    "staffel folge kapitel abschnitt artikel anhang tabelle schritt band stufe klasse teil nummer runde absatz § linie",
    "temporada episodio capítulo sección artículo anexo tabla paso tomo nivel clase serie parte número ronda línea",
    "stagione episodio capitolo sezione articolo allegato tabella passo livello classe serie parte numero",
    "temporada episódio capítulo seção artigo anexo tabela passo nível classe série parte número",
    "seizoen aflevering hoofdstuk sectie artikel bijlage tabel stap niveau klasse deel nummer",
)
"""Before a number that names a thing and measures nothing."""

RECURRING: Final = _words(
    "every each annual annually yearly usually often again",
    "chaque annuel annuelle souvent encore",
    "jedes jährlich oft wieder",
    "cada anual anualmente menudo",
    "ogni annuale spesso",
    "cada anual",
    "elk jaarlijks vaak",
)
"""What happens more than once has more than one date."""

IN_TIME: Final = _words(
    "in since by until before after of from during to the",
    "en depuis avant après jusqu'en dès de",
    "im seit bis vor nach der des dem",
    "en desde hasta de",
    "nel dal fino del",
    "em desde até de",
    "in sinds tot",
)
"""Before a year."""

SINCE: Final = _words("since until", "depuis jusqu'en", "seit bis", "desde hasta", "dal fino", "desde até", "sinds tot")
"""Before a date from which or to which something lasts."""

DEMONSTRATIVE: Final = _words(
    "this these those such",
    "ce cet cette ces celui celle ceux",
    "dieser diese dieses diesem diesen jener jene",
    "este esta estos estas ese esa esos esas aquel aquella",
    "questo questa questi queste quello quella",
    "este esta estes estas esse essa isso",
    "deze dit",
)
"""Words for what another sentence named."""

PRONOUNS: Final = _words(
    "it they he she them its their his her",
    "il elle ils elles on son sa ses leur leurs",
    "er sie es man sein seine ihr ihre",
    "él ella ellos ellas su sus",
    "esso essa lui lei loro suo sua suoi sue",
    "ele ela eles elas seu sua seus suas",
    "hij zij ze het zijn haar hun",
)
"""Words at a sentence's beginning for what was named before it, and for what is part of that."""

OF: Final = _words("of", "de du des d'", "von", "de del", "di del della", "de do da dos das", "van")
"""Within a name, or between a thing and whose it is."""

TOWARDS_A_NAME: Final = _words(
    "is was are were by named called headed led",
    "est était sont par nommé nommée appelé appelée",
    "ist war sind von namens heißt hieß",
    "es era son por llamado llamada fue",
    "è era sono da chiamato chiamata",
    "é era são por chamado chamada",
    "is was zijn door genaamd heet",
)
"""Words right before the name that a sentence tells of its subject."""

PLACED: Final = _words(
    "located based headquartered born died lies situated buried founded signed",
    "situé située basé basée né née mort morte siège signé fondé fondée",
    "gelegen liegt geboren starb gestorben sitz begraben gegründet unterzeichnet",
    "situado situada ubicado ubicada nacido nació murió sede fundado fundada firmado",
    "situato situata nato nata morto morta sede fondato fondata firmato",
    "situado situada nascido nascida morreu sede fundado fundada assinado",
    "gelegen gevestigd geboren overleden stierf ligt opgericht ondertekend",
)
"""What has one place alone."""

AT_A_PLACE: Final = _words("in at near", "à en au aux", "in bei an", "en", "a in", "em no na", "in te bij")
"""Before the name of a place."""

REPORTED: Final = _words(
    "according as", "selon d'après comme", "laut wie", "según como", "secondo", "segundo", "volgens"
)
"""At the beginning of a clause that only says who tells it."""

PLACE_PREFIXES: Final = frozenset().union(
    *_words(
        "new old north south east west upper lower great greater little saint st port fort mount",
        "nouveau nouvelle vieux haut haute bas basse grand grande petit saint sainte",
        "neu alt bad nord süd ost ober unter nieder groß klein",
        "nuevo nueva viejo san santa santo puerto villa",
        "nuovo nuova vecchio san santa porto monte",
        "novo nova velho são santa porto vila",
        "nieuw oud noord zuid oost sint",
    ).values()
)
"""Before the name of a place: it is another place with one of these."""

ONCE: Final[Mapping[Language, str]] = {
    Language.EN: "found establish create build built construct open close complete finish publish release launch born "
    "die died adopt sign enact introduce invent discover abolish demolish destroy begin began start end expire "
    "dissolve merge rename inaugurate ratify approve deadline due submit erect incorporate premiere patent finalise "
    "acquire buy bought purchase move relocate join appoint marry divorce arrest sentence kill crash collapse "
    "conquer annex declare proclaim crown develop "
    "replace retire sell sold transfer arrive",
    Language.FR: "fonder établir créer construire ouvrir fermer achever terminer publier sortir lancer né naître "
    "mourir mort adopter signer promulguer introduire inventer découvrir abolir démolir détruire commencer débuter "
    "acquérir acheter nommer épouser arrêter condamner tuer conquérir annexer proclamer développer remplacer "
    "vendre expirer dissoudre fusionner renommer inaugurer ratifier approuver échéance fondé créé "
    "construit ouvert publié signé",
    Language.DE: "gegründet gründung errichtet erbaut gebaut eröffnet geschlossen fertiggestellt abgeschlossen "
    "veröffentlicht erschienen erschien gestartet geboren gestorben starb verabschiedet unterzeichnet eingeführt "
    "erfunden entdeckt abgeschafft abgerissen zerstört beginnt begann endet endete aufgelöst umbenannt eingeweiht "
    "ratifiziert frist fällig genehmigt fusionierte erworben gekauft ernannt heiratete verhaftet verurteilt getötet "
    "erobert annektiert ausgerufen entwickelt ersetzt verkauft",
    Language.ES: "fundar establecer crear construir abrir cerrar completar terminar publicar lanzar nacer nació morir "
    "murió adoptar firmar promulgar introducir inventar descubrir abolir demoler destruir comenzar empezar expirar "
    "disolver fusionar inaugurar ratificar aprobar plazo fundado creado construido abierto "
    "publicado adquirir comprar nombrar casar detener condenar matar conquistar proclamar desarrollar vender",
    Language.IT: "fondare istituire creare costruire aprire chiudere completare terminare pubblicare lanciare nato "
    "nascere morire morto adottare firmare introdurre inventare scoprire abolire demolire distruggere iniziare finire "
    "scadere sciogliere inaugurare ratificare approvare scadenza fondato costruito aperto pubblicato",
    Language.PT: "fundar estabelecer criar construir abrir fechar completar terminar publicar lançar nascer nasceu "
    "morrer morreu adotar assinar introduzir inventar descobrir abolir demolir destruir começar expirar dissolver "
    "inaugurar ratificar aprovar prazo fundado construído aberto publicado",
    Language.NL: "opgericht gesticht gebouwd geopend gesloten voltooid gepubliceerd verschenen gelanceerd geboren "
    "overleden stierf aangenomen ondertekend ingevoerd uitgevonden ontdekt afgeschaft gesloopt verwoest begint begon "
    "eindigt eindigde ontbonden hernoemd ingehuldigd geratificeerd goedgekeurd deadline",
}
"""What happens once, and so has one date."""

SAYING: Final[Mapping[Language, str]] = {
    Language.EN: "also now currently today however according report reported officially state say says said announce "
    "confirm note approximately about around exactly precisely thus therefore moreover furthermore indeed",
    Language.FR: "aussi maintenant actuellement aujourd'hui cependant également selon rapport officiellement dire "
    "annoncer confirmer environ exactement précisément donc ainsi toutefois",
    Language.DE: "auch jetzt derzeit aktuell heute jedoch laut bericht offiziell mitteilen bestätigen angaben zufolge "
    "etwa rund ungefähr genau somit außerdem",
    Language.ES: "también ahora actualmente hoy sin embargo según informe oficialmente decir anunciar confirmar "
    "aproximadamente exactamente además",
    Language.IT: "anche ora attualmente oggi tuttavia secondo rapporto ufficialmente dire annunciare confermare circa "
    "esattamente inoltre",
    Language.PT: "também agora atualmente hoje contudo segundo relatório oficialmente dizer anunciar confirmar "
    "aproximadamente exatamente além",
    Language.NL: "ook nu momenteel vandaag echter volgens rapport officieel zeggen melden bevestigen ongeveer precies "
    "bovendien",
}
"""Words that say of what is told only that it is."""

SAME: Final[Mapping[Language, str]] = {
    Language.EN: """
        pay pays paid grant grants give gives gave provide provides offer offers award awards receive receives
        cost costs price priced
        begin begins began start starts started commence
        end ends ended finish finishes conclude
        found founded establish established set
        build built construct constructed erect erected
        last lasts take takes run runs
        need needs require requires must
        contain contains include includes comprise comprises have has hold holds
        employ employs employee employees staff worker workers
        weigh weighs weight
        reach reaches amount amounts total totals equal equals stand stands come comes
        resident residents inhabitant inhabitants people population
        company firm business
        house houses home homes dwelling dwellings
        big large
        buy buys purchase purchases
        use uses consume consumes
        noise loud heard sound
        lie lies locate located situate situated
        lead leads led head heads headed
        release released publish published
    """,
    Language.FR: """
        payer paie verser verse accorder accorde donner donne offrir offre attribuer fournir fournit
        coûter coûte coût prix
        commencer commence débuter débute
        finir finit terminer termine achever
        fonder fondé fondée créer créé créée établir établi
        construire construit construite bâtir bâti bâtie édifier
        durer dure prendre
        nécessiter nécessite exiger exige demander demande
        contenir contient compter compte comprendre comprend avoir possède
        employé employés salarié salariés
        peser pèse poids
        atteindre atteint élever élève totaliser représenter
        habitant habitants population
        entreprise société
        maison maisons logement logements
        situer situé située trouver trouve
        diriger dirige dirigé
    """,
    Language.DE: """
        zahlt zahlen gewährt gewähren gibt bietet bieten vergibt erhält erhalten
        kostet kosten preis
        beginnt beginnen startet starten
        endet enden schließt
        gegründet gründete gründung
        gebaut erbaut errichtet
        dauert dauern
        braucht brauchen benötigt benötigen erfordert
        enthält enthalten umfasst umfassen hat zählt besitzt
        beschäftigte mitarbeiter angestellte beschäftigt
        wiegt gewicht
        beträgt erreicht liegt beläuft
        einwohner bewohner bevölkerung
        firma unternehmen
        haus häuser wohnung wohnungen
        geleitet leitet führt geführt
    """,
    Language.ES: """
        pagar paga conceder concede dar da ofrecer ofrece otorgar otorga
        costar cuesta costo coste precio
        comenzar comienza empezar empieza
        terminar termina finalizar finaliza
        fundar fundado fundada crear creado creada establecer
        construir construido construida edificar
        durar dura
        necesitar necesita requerir requiere exigir
        contener contiene tener tiene incluir incluye comprender
        empleado empleados trabajador trabajadores
        pesar pesa peso
        alcanzar alcanza ascender asciende
        habitante habitantes población
        empresa compañía
        situar situado situada ubicar ubicado
    """,
}
"""Words that stand for each other in a statement of fact, a line each."""
