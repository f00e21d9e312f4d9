"""Article titles as topics, for passages that come in groups of one article each.

The passages of XQuAD are five from each of 48 articles of SQuAD 1.1's development set, in its order, without their
titles. A title is what a topic looks like, so each is given here in the languages of the collections; the French ones
serve as topics from elsewhere.
"""

from __future__ import annotations

from typing import Final

_ROWS: Final = """
Super Bowl 50|Super Bowl 50|Super Bowl 50|Super Bowl 50
Warsaw|Warschau|Varsovia|Varsovie
Normans|Normannen|Normandos|Normands
Nikola Tesla|Nikola Tesla|Nikola Tesla|Nikola Tesla
Computational complexity theory|Komplexitätstheorie|Teoría de la complejidad computacional|Théorie de la complexité
Teacher|Lehrer|Profesor|Enseignant
Martin Luther|Martin Luther|Martín Lutero|Martin Luther
Southern California|Südkalifornien|Sur de California|Californie du Sud
Sky (United Kingdom)|Sky (Vereinigtes Königreich)|Sky (Reino Unido)|Sky (Royaume-Uni)
Victoria (Australia)|Victoria (Australien)|Victoria (Australia)|Victoria (Australie)
Huguenot|Hugenotten|Hugonotes|Huguenots
Steam engine|Dampfmaschine|Máquina de vapor|Machine à vapeur
Oxygen|Sauerstoff|Oxígeno|Oxygène
1973 oil crisis|Ölkrise 1973|Crisis del petróleo de 1973|Choc pétrolier de 1973
Apollo program|Apollo-Programm|Programa Apolo|Programme Apollo
European Union law|Recht der Europäischen Union|Derecho de la Unión Europea|Droit de l'Union européenne
Amazon rainforest|Amazonas-Regenwald|Selva amazónica|Forêt amazonienne
Ctenophora|Rippenquallen|Ctenóforos|Cténophores
Fresno, California|Fresno, Kalifornien|Fresno, California|Fresno, Californie
Packet switching|Paketvermittlung|Conmutación de paquetes|Commutation de paquets
Black Death|Schwarzer Tod|Peste negra|Peste noire
Geology|Geologie|Geología|Géologie
Newcastle upon Tyne|Newcastle upon Tyne|Newcastle upon Tyne|Newcastle upon Tyne
Victoria and Albert Museum|Victoria and Albert Museum|Museo de Victoria y Alberto|Victoria and Albert Museum
American Broadcasting Company|American Broadcasting Company|American Broadcasting Company|American Broadcasting Company
Genghis Khan|Dschingis Khan|Gengis Kan|Gengis Khan
Pharmacy|Pharmazie|Farmacia|Pharmacie
Immune system|Immunsystem|Sistema inmunitario|Système immunitaire
Civil disobedience|Ziviler Ungehorsam|Desobediencia civil|Désobéissance civile
Construction|Bauwesen|Construcción|Construction
Private school|Privatschule|Escuela privada|École privée
Harvard University|Harvard-Universität|Universidad de Harvard|Université Harvard
Jacksonville, Florida|Jacksonville, Florida|Jacksonville, Florida|Jacksonville, Floride
Economic inequality|Wirtschaftliche Ungleichheit|Desigualdad económica|Inégalités économiques
Doctor Who|Doctor Who|Doctor Who|Doctor Who
University of Chicago|Universität von Chicago|Universidad de Chicago|Université de Chicago
Yuan dynasty|Yuan-Dynastie|Dinastía Yuan|Dynastie Yuan
Kenya|Kenia|Kenia|Kenya
Intergovernmental Panel on Climate Change|Zwischenstaatlicher Ausschuss für Klimaänderungen|Grupo Intergubernamental \
sobre el Cambio Climático|Groupe d'experts intergouvernemental sur l'évolution du climat
Chloroplast|Chloroplasten|Cloroplastos|Chloroplastes
Prime number|Primzahl|Número primo|Nombre premier
Rhine|Rhein|Rin|Rhin
Scottish Parliament|Schottisches Parlament|Parlamento escocés|Parlement écossais
Islamism|Islamismus|Islamismo|Islamisme
Imperialism|Imperialismus|Imperialismo|Impérialisme
United Methodist Church|Evangelisch-methodistische Kirche|Iglesia Metodista Unida|Église méthodiste unie
French and Indian War|Franzosen- und Indianerkrieg|Guerra franco-india|Guerre de la Conquête
Force|Kraft|Fuerza|Force
"""
_LANGUAGES: Final = ("en", "de", "es", "fr")

TITLES: Final[dict[str, tuple[str, ...]]] = {
    language: tuple(row.split("|")[column] for row in _ROWS.strip().splitlines())
    for column, language in enumerate(_LANGUAGES)
}
"""By language, in the order of the articles."""
