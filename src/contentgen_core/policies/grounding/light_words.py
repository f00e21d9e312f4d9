"""Verbs and nouns that say next to nothing by themselves, by language: a claim may have them although its sources do
not. Stop words are not repeated here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.facts import fold_name

_FORMS: Final[Mapping[Language, str]] = {
    Language.EN: """
        take takes taking took taken get gets getting got give gives giving gave given make makes making made bring
        brings bringing brought put puts hold holds held become becomes became remain remains remained stay stays
        begin begins began begun start starts started starting occur occurs occurred happen happens happened include
        includes included including involve involves involved involving consist consists exist exists existed form
        forms formed serve serves served mean means meant call calls called name named know known consider considered
        describe described require requires required need needs needed use uses used using kind kinds type types way
        ways case cases fact facts part parts thing things example examples multiple various certain particular
        typical usual usually typically commonly mostly mainly
    """,
    Language.FR: """
        prend prennent prendre pris prise donne donnent donner donné donnée met mettent mettre mis mise rend rendent
        rendre tient tiennent tenir vient viennent venir va vont aller reste restent rester devient deviennent devenir
        commence commencent commencer produit existe existent exister forme forment former constitue constituent
        comprend comprennent comporte comportent inclut incluent faut falloir besoin nécessite utilise utilisent
        utiliser utilisé utilisée permet permettent appelé appelée nommé nommée signifie consiste
        sorte sortes type types façon manière cas fait faits partie parties chose choses exemple exemples présence
        divers diverses certain certaine certains certaines généralement souvent principalement
    """,
    Language.DE: """
        nimmt nehmen nahm genommen gibt geben gab gegeben macht machen machte gemacht setzt setzen gesetzt bringt
        bringen brachte gebracht hält halten hielt gehalten bleibt bleiben blieb geblieben wird werden wurde beginnt
        beginnen begann begonnen erfolgt erfolgen findet finden fand gefunden statt besteht bestehen umfasst enthält
        bildet bilden gehört gehören bedeutet bedeuten nennt genannt heißt bekommt bekommen erhält erhalten braucht
        brauchen benötigt benötigen verwendet verwenden nutzt nutzen genutzt geht gehen ging gegangen steht stehen liegt
        liegen ergibt ergeben dient dienen
        art arten weise fall fälle teil teile ding dinge sache beispiel beispiele vorher
        verschiedene verschiedenen bestimmte bestimmten meist meistens gewöhnlich hauptsächlich
    """,
    Language.ES: """
        toma toman tomar tomado da dan dar dado hace hacen hacer hecho pone ponen poner puesto queda quedan quedar
        lleva llevan llevar viene vienen venir va van ir ido sigue siguen seguir empieza empiezan comienza comienzan
        ocurre ocurren sucede suceden existe existen forma forman formar incluye incluyen comprende contiene consiste
        significa llamado llamada conocido conocida necesita necesitan requiere requieren usa usan usar usado utiliza
        utilizan utilizar utilizado corre tiene tienen sirve sirven hay
        clase clases tipo tipos manera modo caso casos hecho hechos parte partes cosa cosas ejemplo ejemplos
        diversos diversas ciertos ciertas generalmente normalmente principalmente
    """,
    Language.IT: """
        prende prendono prendere preso dà danno dare dato data fa fanno fare fatto mette mettono mettere messo resta
        restano rimane rimangono viene vengono venire va vanno andare tiene tengono tenere diventa diventano comincia
        cominciano inizia iniziano avviene avvengono succede esiste esistono forma formano formare comprende include
        includono contiene consiste significa chiamato chiamata noto nota bisogna occorre serve servono richiede usa
        usano usare usato utilizza utilizzano utilizzare utilizzato
        tipo tipi genere modo caso casi fatto fatti parte parti cosa cose esempio esempi
        diversi diverse certi certe generalmente normalmente principalmente
    """,
    Language.PT: """
        toma tomam tomar tomado dá dão dar dado faz fazem fazer feito põe põem pôr posto fica ficam ficar leva levam
        levar vem vêm vir vai vão ir segue seguem começa começam ocorre ocorrem acontece acontecem existe existem forma
        formam formar inclui incluem compreende contém consiste significa chamado chamada conhecido conhecida precisa
        precisam requer usa usam usar usado utiliza utilizam utilizar utilizado tem têm serve servem há
        tipo tipos modo caso casos facto fato fatos parte partes coisa coisas exemplo exemplos
        diversos diversas certos certas geralmente normalmente principalmente
    """,
    Language.NL: """
        neemt nemen nam genomen geeft geven gaf gegeven maakt maken maakte gemaakt zet zetten gezet brengt brengen
        blijft blijven bleef gebleven wordt worden werd begint beginnen begon begonnen gebeurt
        gebeuren bestaat bestaan omvat bevat vormt vormen vormde betekent betekenen noemt genoemd heet krijgt krijgen
        kreeg komt komen kwam gaat gaan ging gegaan staat staan ligt liggen gebruikt gebruiken nodig dient dienen
        soort soorten manier geval gevallen deel delen ding dingen zaak voorbeeld voorbeelden doordat
        verschillende bepaalde meestal gewoonlijk hoofdzakelijk
    """,
}
LIGHT_WORDS: Final[Mapping[Language, frozenset[str]]] = {
    language: frozenset(fold_name(word) for word in forms.split()) for language, forms in _FORMS.items()
}
