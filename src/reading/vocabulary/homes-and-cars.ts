import type { ConceptRow } from './concept.ts'

/** Homes and cars. */
export const homesAndCars: readonly ConceptRow[] = [
  [
    'propertyType',
    'text',
    'propertyType accommodationCategory',
    'property type, type of property, house type, home type, dwelling type, type of home, building type, immobilientyp, objektart, objekttyp, haustyp, wohnungstyp, type de bien, type de logement, tipo de inmueble, tipo de propiedad, tipo de vivienda, tipologia, tipo di immobile, soort woning, 物件種別, 種別',
  ],
  [
    'year',
    'count',
    'vehicleModelDate modelDate productionDate yearBuilt',
    'year, model year, year built, built in, construction year, baujahr, annee, annee de construction, ano, ano de construccion, anno, anno di costruzione, bouwjaar, byggear, rok, rok budowy, 年式, 築年数, registration year, first registered, registered, year of registration, erstzulassung, bj, jahrgang, first registration, annee modele, ano de matriculacion, immatricolazione, year of construction, construction, built, 建築年, 築年月, 初度登録',
  ],
  [
    'mileage',
    'measure',
    'mileageFromOdometer.value mileageFromOdometer',
    'mileage, odometer, kilometers, kilometres, kilometerstand, laufleistung, kilometrage, kilometraje, kilometros, chilometraggio, quilometragem, tachostand, 走行距離, miles, odometer reading, km stand, km, kms, kilometres au compteur, km percorsi',
  ],
  [
    'fuel',
    'text',
    'fuelType',
    'fuel, fuel type, kraftstoff, kraftstoffart, carburant, combustible, carburante, alimentazione, combustivel, brandstof, 燃料',
  ],
  [
    'transmission',
    'text',
    'vehicleTransmission',
    'transmission, gearbox, getriebe, boite de vitesses, boite, cambio, transmision, caja de cambios, transmissie, ミッション, gear, gears, schaltung, cambio marce',
  ],
  [
    'power',
    'measure',
    'vehicleEngine.enginePower.value',
    'power, engine power, horsepower, leistung, puissance, potencia, potenza, vermogen',
  ],
  [
    'bedrooms',
    'count',
    'numberOfBedrooms numberOfRooms',
    'bedrooms, beds, number of bedrooms, bed, br, schlafzimmer, chambres, dormitorios, habitaciones, camere da letto, quartos, slaapkamers, 寝室, bd, bds, bdrm, bedroom, chambre, habitacion, dormitorio, camera da letto, slaapkamer',
  ],
  [
    'rooms',
    'count',
    'numberOfRooms',
    'rooms, number of rooms, zimmer, anzahl zimmer, pieces, locali, vani, comodos, kamers, aantal kamers, pokoje, 間取り, zi, room count, anzahl der zimmer, piece, nombre de pieces, habitaciones, numero de habitaciones, numero locali, ambienti',
  ],
  [
    'bathrooms',
    'count',
    'numberOfBathroomsTotal numberOfFullBathrooms',
    'bathrooms, baths, bath, number of bathrooms, badezimmer, bader, salles de bain, banos, bagni, banheiros, badkamers, ba, bath rooms, bathroom, bad, badezimmer anzahl, salle de bain, sdb, bano, bagno, badkamer',
  ],
  [
    'area',
    'measure',
    'floorSize.value floorSize',
    'area, living area, floor area, floor size, size, square feet, sqft, square meters, living space, wohnflache, flache, surface, superficie, metros cuadrados, superficie habitable, area util, woonoppervlakte, oppervlakte, boareal, powierzchnia, 面積, 専有面積, wohnflache ca, flache ca, sq ft, square footage, gross area, usable area, nutzflache, surface habitable, superficie util, superficie construida, metri quadri, superficie commerciale, m2, floor space, interior, 建物面積',
  ],
  [
    'plotSize',
    'measure',
    'lotSize.value lotSize',
    'lot size, plot size, land area, plot, grundstucksflache, grundstuck, terrain, parcela, terreno, perceeloppervlakte, 土地面積, lot, lot area, land, grundstuck flache, superficie del terreno, superficie terrain, surface du terrain, acreage',
  ],
  [
    'rent',
    'price',
    'offers.price',
    'rent, monthly rent, kaltmiete, miete, warmmiete, loyer, alquiler, renta, affitto, canone, aluguel, huur, huurprijs, leje, hyra, czynsz, 賃料, 家賃, rent per month, nettokaltmiete, grundmiete, loyer mensuel, loyer cc, loyer hors charges, alquiler mensual, canone mensile, kale huur',
  ],
  [
    'deposit',
    'price',
    'deposit',
    'deposit, security deposit, kaution, depot de garantie, fianza, deposito, cauzione, caucao, borg, 敷金, bond, mietkaution, caution, waarborg',
  ],
  [
    'floor',
    'text',
    'floorLevel',
    'floor, floor level, etage, stockwerk, planta, piso, piano, andar, verdieping, 階, planta piso, piso planta, stock',
  ],
  [
    'energyClass',
    'text',
    'energyEfficiencyScaleMin',
    'energy class, energy rating, energy efficiency, energieklasse, energieeffizienzklasse, dpe, classe energetica, calificacion energetica, energielabel, energy label, energy efficiency class, energieeffizienz, energieausweis, classe energie, etiquette energie, energy class eu, epc, epc rating, clase energetica',
  ],
  [
    'extraCosts',
    'price',
    'additionalCosts',
    'additional costs, service charge, service charges, utilities, nebenkosten, betriebskosten, charges, charge, gastos, gastos de comunidad, spese, spese condominiali, servicekosten, 管理費, 共益費',
  ],
  [
    'availableFrom',
    'date',
    'availabilityStarts availableFrom',
    'available from, available, date available, move in date, move in, bezugsfrei ab, bezugsfrei, verfugbar ab, frei ab, bezug, disponible des, disponible a partir du, disponible desde, libero dal, beschikbaar vanaf, 入居可能日, 入居時期',
  ],
  [
    'amenities',
    'steps',
    'amenityFeature.name amenityFeature',
    'amenities, features, facilities, ausstattung, ausstattungsmerkmale, merkmale, equipements, equipement, prestations, equipamiento, comodidades, servicios, caratteristiche, dotazioni, servizi, voorzieningen, kenmerken, 設備',
  ],
  [
    'pets',
    'yes',
    'petsAllowed',
    'pets, pets allowed, pet friendly, haustiere, haustiere erlaubt, animaux, animaux acceptes, animaux admis, mascotas, se admiten mascotas, animali, animali ammessi, huisdieren, huisdieren toegestaan, ペット可',
  ],
  [
    'agent',
    'name',
    'agent.name agent broker.name',
    'agent, listing agent, listed by, real estate agent, estate agent, broker, realtor, makler, ansprechpartner, ansprechpartnerin, anbieter, contact person, contact name, your contact, interlocuteur, votre contact, agent immobilier, persona de contacto, contacto, agente, referente, contactpersoon, 担当者',
  ],
  [
    'engineSize',
    'measure',
    'vehicleEngine.engineDisplacement.value',
    'engine size, engine, displacement, cubic capacity, hubraum, cylindree, cilindrada, cilindrata, cilinderinhoud, 排気量',
  ],
  [
    'owners',
    'count',
    'numberOfPreviousOwners',
    'previous owners, owners, number of owners, keepers, vorbesitzer, anzahl vorbesitzer, fahrzeughalter, proprietaires, propietarios, proprietari',
  ],
]
