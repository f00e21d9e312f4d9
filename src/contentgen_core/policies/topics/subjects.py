"""Subjects that people write about: a topic is compared with them to decide whether it belongs to a niche."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from contentgen_core.model.vocabulary import Language

NAMED_IN: Final = (Language.EN, Language.FR, Language.DE, Language.ES, Language.IT)
"""The languages of the subjects' names, in their order."""


@frozen
class Subject:
    """A subject by its name in some languages, English first.

    `general`: whether every field has to do with it, as with wages or prices, so that a topic on it may belong to any
    niche."""

    names: tuple[str, ...]
    general: bool

    def named_in(self, language: Language) -> tuple[str, ...]:
        """Return the English name, and the name in this language where there is one."""
        own = self.names[NAMED_IN.index(language)] if language in NAMED_IN else self.names[0]
        return tuple(dict.fromkeys((self.names[0], own)))


_FIELDS: Final = """
football and team sport | football et sports d'équipe | Fußball und Mannschaftssport | fútbol y deportes de equipo | calcio e sport di squadra
tennis, golf and racket sports | tennis, golf et sports de raquette | Tennis, Golf und Rückschlagspiele | tenis, golf y deportes de raqueta | tennis, golf e sport con la racchetta
running, swimming and athletics | course à pied, natation et athlétisme | Laufen, Schwimmen und Leichtathletik | correr, nadar y atletismo | corsa, nuoto e atletica
winter sports and skiing | sports d'hiver et ski | Wintersport und Skifahren | deportes de invierno y esquí | sport invernali e sci
hiking and mountains | randonnée et montagne | Wandern und Berge | senderismo y montaña | escursioni e montagna
bicycles and cycling | vélo et cyclisme | Fahrräder und Radfahren | bicicletas y ciclismo | biciclette e ciclismo
horses and riding | chevaux et équitation | Pferde und Reiten | caballos y equitación | cavalli ed equitazione
fishing and hunting | pêche et chasse | Angeln und Jagd | pesca y caza | pesca e caccia
sailing and boats | voile et bateaux | Segeln und Boote | vela y barcos | vela e barche
gymnastics, fitness and yoga | gymnastique, musculation et yoga | Gymnastik, Fitness und Yoga | gimnasia, fitness y yoga | ginnastica, fitness e yoga
martial arts and boxing | arts martiaux et boxe | Kampfsport und Boxen | artes marciales y boxeo | arti marziali e pugilato
baking and desserts | pâtisserie et desserts | Backen und Desserts | repostería y postres | dolci e pasticceria
bread and dough | pain et pâtes à pain | Brot und Teig | pan y masas | pane e impasti
meat and fish dishes | plats de viande et de poisson | Fleisch- und Fischgerichte | platos de carne y pescado | piatti di carne e pesce
vegetarian cooking | cuisine végétarienne | vegetarische Küche | cocina vegetariana | cucina vegetariana
cheese and milk | fromage et lait | Käse und Milch | queso y leche | formaggio e latte
wine and vineyards | vin et vignobles | Wein und Weinberge | vino y viñedos | vino e vigneti
beer and breweries | bière et brasseries | Bier und Brauereien | cerveza y cervecerías | birra e birrifici
coffee and tea | café et thé | Kaffee und Tee | café y té | caffè e tè
food safety and kitchen hygiene | hygiène alimentaire en cuisine | Lebensmittelsicherheit und Küchenhygiene | seguridad alimentaria e higiene en la cocina | sicurezza alimentare e igiene in cucina
diets and nutrition | régimes et nutrition | Diät und Ernährung | dietas y nutrición | diete e nutrizione
films and cinema | films et cinéma | Filme und Kino | películas y cine | film e cinema
television series | séries télévisées | Fernsehserien | series de televisión | serie televisive
pop music and concerts | chanson et concerts | Popmusik und Konzerte | música pop y conciertos | musica pop e concerti
classical music and opera | musique classique et opéra | klassische Musik und Oper | música clásica y ópera | musica classica e opera
playing an instrument | jouer d'un instrument | ein Instrument spielen | tocar un instrumento | suonare uno strumento
video games | jeux vidéo | Videospiele | videojuegos | videogiochi
board games, cards and chess | jeux de société, cartes et échecs | Brettspiele, Karten und Schach | juegos de mesa, cartas y ajedrez | giochi da tavolo, carte e scacchi
toys | jouets | Spielzeug | juguetes | giocattoli
collecting and model building | collections et modélisme | Sammeln und Modellbau | coleccionismo y modelismo | collezionismo e modellismo
novels and poetry | romans et poésie | Romane und Gedichte | novelas y poesía | romanzi e poesia
theatre and dance | théâtre et danse | Theater und Tanz | teatro y danza | teatro e danza
painting and drawing | peinture et dessin | Malen und Zeichnen | pintura y dibujo | pittura e disegno
museums and exhibitions | musées et expositions | Museen und Ausstellungen | museos y exposiciones | musei e mostre
pottery and ceramics | poterie et céramique | Töpfern und Keramik | alfarería y cerámica | ceramica e terracotta
sewing and knitting | couture et tricot | Nähen und Stricken | costura y punto | cucito e maglia
jewellery and watches | bijoux et montres | Schmuck und Uhren | joyas y relojes | gioielli e orologi
antiques and restoration | antiquités et restauration d'objets | Antiquitäten und Restaurierung | antigüedades y restauración | antiquariato e restauro
clothes and fashion | vêtements et mode | Kleidung und Mode | ropa y moda | abbigliamento e moda
make-up, nails and skin care | maquillage, ongles et soins de la peau | Make-up, Nägel und Hautpflege | maquillaje, uñas y cuidado de la piel | trucco, unghie e cura della pelle
hair and hairdressers | cheveux et coiffure | Haare und Friseure | pelo y peluquería | capelli e parrucchieri
ancient and medieval history | histoire antique et médiévale | Geschichte der Antike und des Mittelalters | historia antigua y medieval | storia antica e medievale
modern history and wars | histoire contemporaine et guerres | neuere Geschichte und Kriege | historia contemporánea y guerras | storia contemporanea e guerre
archaeology and heritage | archéologie et patrimoine | Archäologie und Denkmäler | arqueología y patrimonio | archeologia e patrimonio
army and weapons | armée et armes | Militär und Waffen | ejército y armas | esercito e armi
politics and elections | politique et élections | Politik und Wahlen | política y elecciones | politica ed elezioni
religion and faith | religion et foi | Religion und Glaube | religión y fe | religione e fede
weddings | mariages | Hochzeiten | bodas | matrimoni
divorce and inheritance | divorce et succession | Scheidung und Erbe | divorcio y herencias | divorzio ed eredità
pregnancy and babies | grossesse et bébés | Schwangerschaft und Babys | embarazo y bebés | gravidanza e neonati
nurseries and small children | crèches et petite enfance | Kindergärten und kleine Kinder | guarderías y niños pequeños | asili e bambini piccoli
universities and exams | université et examens | Universität und Prüfungen | universidad y exámenes | università ed esami
old age and care | vieillesse et dépendance | Alter und Pflege | vejez y cuidados | vecchiaia e assistenza
dogs | chiens | Hunde | perros | cani
cats and other pets | chats et animaux de compagnie | Katzen und andere Haustiere | gatos y otras mascotas | gatti e altri animali domestici
birds and wildlife | oiseaux et animaux sauvages | Vögel und Wildtiere | aves y animales salvajes | uccelli e animali selvatici
insects and pests | insectes et nuisibles | Insekten und Schädlinge | insectos y plagas | insetti e parassiti
bees and honey | abeilles et miel | Bienen und Honig | abejas y miel | api e miele
flowers and ornamental gardens | fleurs et jardins d'agrément | Blumen und Ziergärten | flores y jardines | fiori e giardini
vegetables and kitchen gardens | légumes et potager | Gemüse und Nutzgarten | verduras y huerto | ortaggi e orto
fruit trees and orchards | arbres fruitiers et vergers | Obstbäume und Obstgärten | frutales | alberi da frutto e frutteti
olives and oil | olives et huile | Oliven und Öl | olivas y aceite | olive e olio
cattle, pigs and poultry | bovins, porcs et volailles | Rinder, Schweine und Geflügel | vacas, cerdos y gallinas | bovini, suini e pollame
farm machinery | machines agricoles | Landmaschinen | maquinaria agrícola | macchine agricole
sea and coast | mer et littoral | Meer und Küste | mar y costa | mare e coste
geology and volcanoes | géologie et volcans | Geologie und Vulkane | geología y volcanes | geologia e vulcani
astronomy and space | astronomie et espace | Astronomie und Raumfahrt | astronomía y espacio | astronomia e spazio
biology and evolution | biologie et évolution | Biologie und Evolution | biología y evolución | biologia ed evoluzione
wind and hydro power | énergie éolienne et hydraulique | Wind- und Wasserkraft | energía eólica e hidráulica | energia eolica e idroelettrica
oil, gas and nuclear power | pétrole, gaz et nucléaire | Öl, Gas und Kernkraft | petróleo, gas y energía nuclear | petrolio, gas e nucleare
stoves and barbecues | poêles et barbecues | Öfen und Grills | estufas y barbacoas | stufe e barbecue
carpentry and wooden buildings | charpente et construction bois | Zimmerei und Holzbau | carpintería y construcción en madera | carpenteria e case in legno
architecture and cities | architecture et urbanisme | Architektur und Städtebau | arquitectura y urbanismo | architettura e urbanistica
owners of flats in one building | copropriété d'immeubles | Eigentümergemeinschaften | comunidades de propietarios | condomini e amministratori
cars and driving | voitures et conduite | Autos und Autofahren | coches y conducción | auto e guida
car repair and tyres | réparation automobile et pneus | Autoreparatur und Reifen | reparación de coches y neumáticos | riparazione auto e gomme
motorcycles and scooters | motos et scooters | Motorräder und Roller | motos y scooters | moto e scooter
trains and public transport | trains et transports en commun | Züge und Nahverkehr | trenes y transporte público | treni e trasporto pubblico
flights and airports | vols et aéroports | Flüge und Flughäfen | vuelos y aeropuertos | voli e aeroporti
ports and shipping | ports et transport maritime | Häfen und Schifffahrt | puertos y transporte marítimo | porti e trasporto marittimo
moving house | déménagement | Umzug | mudanzas | traslochi
hotels and holiday homes | hôtels et gîtes | Hotels und Ferienhäuser | hoteles y casas rurales | alberghi e case vacanza
beach holidays and cruises | plages et croisières | Strandurlaub und Kreuzfahrten | playas y cruceros | spiagge e crociere
city trips and sights | visites de villes | Städtereisen und Sehenswürdigkeiten | viajes a ciudades y monumentos | città da visitare
camping and camper vans | camping et fourgons aménagés | Camping und Wohnmobile | camping y furgonetas | campeggio e camper
passports, visas and migration | passeports, visas et migrations | Pässe, Visa und Migration | pasaportes, visados y migración | passaporti, visti e migrazioni
hospitals and infections | hôpitaux et infections | Krankenhäuser und Infektionen | hospitales e infecciones | ospedali e infezioni
teeth and dentists | dents et dentistes | Zähne und Zahnärzte | dientes y dentistas | denti e dentisti
eyes and ears | yeux et oreilles | Augen und Ohren | ojos y oídos | occhi e orecchie
heart, cancer and chronic disease | cœur, cancer et maladies chroniques | Herz, Krebs und chronische Krankheiten | corazón, cáncer y enfermedades crónicas | cuore, tumori e malattie croniche
mind, stress and therapy | psychisme, stress et thérapie | Psyche, Stress und Therapie | mente, estrés y terapia | mente, stress e terapia
sleep and relaxation | sommeil et détente | Schlaf und Entspannung | sueño y relajación | sonno e relax
sexuality and relationships | couple et sexualité | Sexualität und Beziehungen | pareja y sexualidad | coppia e sessualità
shares and investment | bourse et placements | Aktien und Geldanlage | bolsa e inversiones | borsa e investimenti
home internet and television sets | internet à la maison et téléviseurs | Internet zu Hause und Fernseher | internet en casa y televisores | internet di casa e televisori
household appliances | électroménager | Haushaltsgeräte | electrodomésticos | elettrodomestici
humour and celebrities | humour et célébrités | Humor und Prominente | humor y famosos | umorismo e celebrità
horoscopes and dreams | horoscopes et rêves | Horoskope und Träume | horóscopos y sueños | oroscopi e sogni
"""  # noqa: E501
"""Subjects that are fields of their own."""

_GENERAL: Final = """
restaurants and chefs | restaurants et chefs | Restaurants und Köche | restaurantes y cocineros | ristoranti e cuochi
allergies and intolerances | allergies et intolérances | Allergien und Unverträglichkeiten | alergias e intolerancias | allergie e intolleranze
writing and publishing | écriture et édition | Schreiben und Verlage | escritura y edición | scrittura ed editoria
newspapers and journalism | presse et journalisme | Zeitungen und Journalismus | prensa y periodismo | giornali e giornalismo
photography and cameras | photographie et appareils photo | Fotografie und Kameras | fotografía y cámaras | fotografia e fotocamere
philosophy and ethics | philosophie et éthique | Philosophie und Ethik | filosofía y ética | filosofia ed etica
foreign languages | langues étrangères | Fremdsprachen | idiomas extranjeros | lingue straniere
festivals and customs | fêtes et traditions | Feste und Bräuche | fiestas y tradiciones | feste e tradizioni
schools and teaching | école et enseignement | Schule und Unterricht | escuela y enseñanza | scuola e insegnamento
fields and crops | grandes cultures | Ackerbau | cultivos del campo | campi e colture
forests and timber | forêts et bois | Wald und Holz | bosques y madera | boschi e legname
irrigation and soil | irrigation et sols | Bewässerung und Boden | riego y suelo | irrigazione e suolo
drinking water and sewage | eau potable et assainissement | Trinkwasser und Abwasser | agua potable y alcantarillado | acqua potabile e fognature
waste and recycling | déchets et recyclage | Abfall und Recycling | residuos y reciclaje | rifiuti e riciclaggio
climate and environment | climat et environnement | Klima und Umwelt | clima y medio ambiente | clima e ambiente
weather | météo | Wetter | el tiempo | meteo
physics and chemistry | physique et chimie | Physik und Chemie | física y química | fisica e chimica
mathematics and statistics | mathématiques et statistiques | Mathematik und Statistik | matemáticas y estadística | matematica e statistica
solar power | énergie solaire | Solarenergie | energía solar | energia solare
electricity grids and prices | réseaux et prix de l'électricité | Stromnetze und Strompreise | redes y precios de la electricidad | reti e prezzi dell'elettricità
heating and insulation | chauffage et isolation | Heizung und Dämmung | calefacción y aislamiento | riscaldamento e isolamento
plumbing and bathrooms | plomberie et salles de bains | Sanitär und Bad | fontanería y baños | idraulica e bagni
electrical installation at home | électricité à la maison | Elektroinstallation im Haus | instalación eléctrica en casa | impianto elettrico di casa
roofs and facades | toits et façades | Dächer und Fassaden | tejados y fachadas | tetti e facciate
building sites and construction | chantiers et construction | Baustellen und Bau | obras y construcción | cantieri e costruzioni
furniture and interiors | meubles et décoration | Möbel und Einrichtung | muebles y decoración | mobili e arredamento
cleaning the house | ménage et entretien | Putzen und Haushalt | limpieza del hogar | pulizie di casa
tools and do-it-yourself | outils et bricolage | Werkzeug und Heimwerken | herramientas y bricolaje | attrezzi e fai da te
renting a flat | location d'appartement | Wohnung mieten | alquiler de pisos | affitto di case
buying property and mortgages | achat immobilier et crédit | Immobilienkauf und Kredit | compra de vivienda e hipotecas | acquisto di casa e mutui
electric vehicles | véhicules électriques | Elektroautos | vehículos eléctricos | veicoli elettrici
lorries and freight | camions et fret | Lastwagen und Fracht | camiones y transporte de mercancías | camion e merci
warehouses and deliveries | entrepôts et livraisons | Lager und Lieferungen | almacenes y entregas | magazzini e consegne
medicines and vaccines | médicaments et vaccins | Medikamente und Impfungen | medicamentos y vacunas | farmaci e vaccini
injuries and physiotherapy | blessures et kinésithérapie | Verletzungen und Physiotherapie | lesiones y fisioterapia | infortuni e fisioterapia
first aid and accidents | premiers secours et accidents | Erste Hilfe und Unfälle | primeros auxilios y accidentes | primo soccorso e incidenti
fire protection | protection contre l'incendie | Brandschutz | protección contra incendios | protezione antincendio
safety at work | sécurité au travail | Arbeitsschutz | seguridad en el trabajo | sicurezza sul lavoro
labour law and dismissal | droit du travail et licenciement | Arbeitsrecht und Kündigung | derecho laboral y despidos | diritto del lavoro e licenziamenti
wages and payroll | salaires et paie | Löhne und Lohnabrechnung | salarios y nóminas | stipendi e buste paga
looking for a job | recherche d'emploi | Jobsuche und Bewerbung | búsqueda de empleo | ricerca di lavoro
recruiting and staff | recrutement et personnel | Personal und Einstellung | contratación y personal | assunzioni e personale
offices and remote work | bureau et télétravail | Büro und Homeoffice | oficina y teletrabajo | ufficio e lavoro da remoto
leadership and management | management et direction | Führung und Management | liderazgo y gestión | gestione e direzione
founding a company | création d'entreprise | Unternehmensgründung | crear una empresa | avviare un'impresa
accounting and controlling | comptabilité et contrôle de gestion | Buchhaltung und Controlling | contabilidad y control | contabilità e controllo di gestione
taxes | impôts | Steuern | impuestos | tasse e imposte
banks, saving and loans | banque, épargne et crédit | Banken, Sparen und Kredite | bancos, ahorro y préstamos | banche, risparmio e prestiti
insurance | assurances | Versicherungen | seguros | assicurazioni
pensions and benefits | retraites et aides sociales | Renten und Sozialleistungen | pensiones y ayudas sociales | pensioni e sussidi
courts and crime | tribunaux et criminalité | Gerichte und Verbrechen | tribunales y delitos | tribunali e crimini
consumer rights and contracts | droits des consommateurs et contrats | Verbraucherrechte und Verträge | derechos del consumidor y contratos | diritti dei consumatori e contratti
town halls and public services | mairies et services publics | Gemeinden und Ämter | ayuntamientos y servicios públicos | comuni e servizi pubblici
charities and volunteers | associations et bénévolat | Vereine und Ehrenamt | asociaciones y voluntariado | associazioni e volontariato
shops and retail | magasins et commerce de détail | Läden und Einzelhandel | tiendas y comercio | negozi e commercio
selling online | vente en ligne | Onlinehandel | venta por internet | vendita online
advertising and social networks | publicité et réseaux sociaux | Werbung und soziale Netzwerke | publicidad y redes sociales | pubblicità e social network
selling and customer service | vente et service client | Verkauf und Kundendienst | ventas y atención al cliente | vendite e assistenza clienti
design and logos | design et logos | Design und Logos | diseño y logotipos | design e loghi
export and customs | exportation et douane | Export und Zoll | exportación y aduanas | esportazione e dogane
factories and machines | usines et machines | Fabriken und Maschinen | fábricas y máquinas | fabbriche e macchine
metal, plastics and materials | métaux, plastiques et matériaux | Metall, Kunststoff und Werkstoffe | metales, plásticos y materiales | metalli, plastica e materiali
textiles and leather | textile et cuir | Textilien und Leder | textil y cuero | tessuti e pelle
chemicals and cosmetics industry | industrie chimique et cosmétique | Chemie- und Kosmetikindustrie | industria química y cosmética | industria chimica e cosmetica
programming and software | programmation et logiciels | Programmierung und Software | programación y software | programmazione e software
websites and web design | sites web et ergonomie | Webseiten und Webdesign | páginas web y diseño web | siti web e web design
servers, cloud and networks | serveurs, nuage et réseaux | Server, Cloud und Netzwerke | servidores, nube y redes | server, cloud e reti
computers and laptops | ordinateurs | Computer und Laptops | ordenadores y portátiles | computer e portatili
mobile phones and apps | téléphones mobiles et applications | Handys und Apps | móviles y aplicaciones | telefoni cellulari e app
passwords, viruses and data protection | mots de passe, virus et protection des données | Passwörter, Viren und Datenschutz | contraseñas, virus y protección de datos | password, virus e protezione dei dati
artificial intelligence | intelligence artificielle | künstliche Intelligenz | inteligencia artificial | intelligenza artificiale
robots and electronics | robots et électronique | Roboter und Elektronik | robots y electrónica | robot ed elettronica
presents and celebrations | cadeaux et anniversaires | Geschenke und Geburtstage | regalos y cumpleaños | regali e compleanni
"""  # noqa: E501
"""Subjects that any field may have to do with."""


def _read(table: str, *, general: bool) -> tuple[Subject, ...]:
    return tuple(Subject(tuple(line.split(" | ")), general) for line in table.strip().splitlines())


SUBJECTS: Final = (*_read(_FIELDS, general=False), *_read(_GENERAL, general=True))
