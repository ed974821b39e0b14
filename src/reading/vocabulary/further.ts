import type { ConceptRow } from './concept.ts'

/** Roles of people, facts of vehicles, homes, stays and courses that pages name in many ways. */
export const further: readonly ConceptRow[] = [
  [
    'instructor',
    'name',
    'instructor.name instructor',
    'instructor, teacher, lecturer, tutor, trainer, taught by, instructors, course leader, module leader, dozent, dozentin, lehrkraft, kursleitung, lehrende, enseignant, formateur, professeur, profesor, instructora, docente, insegnante, 講師',
  ],
  [
    'developer',
    'name',
    'developer.name creator.name author.name publisher.name',
    'developer, developed by, vendor name, software publisher, entwickler, entwickelt von, hersteller der software, developpeur, desarrollador, sviluppatore, ontwikkelaar, 開発者',
  ],
  [
    'translator',
    'name',
    'translator.name translator',
    'translator, translated by, ubersetzer, ubersetzt von, ubersetzung, traducteur, traduit par, traductor, traducido por, traduttore, vertaler, 翻訳',
  ],
  [
    'contactPerson',
    'name',
    'contactPoint.name applicationContact.name',
    'contact person, contact name, your contact, ansprechpartner, ansprechpartnerin, ansprechperson, kontaktperson, personne a contacter, interlocuteur, persona de contacto, referente, contactpersoon, 担当者',
  ],
  [
    'drivetrain',
    'text',
    'driveWheelConfiguration',
    'drivetrain, drive, drive type, driven wheels, wheel drive, drive train, antrieb, antriebsart, traction, traccion, trazione, aandrijving, 駆動方式',
  ],
  [
    'doors',
    'count',
    'numberOfDoors',
    'number of doors, door count, turen, anzahl turen, portes, nombre de portes, puertas, porte, deuren, ドア数',
  ],
  [
    'seats',
    'count',
    'vehicleSeatingCapacity.value vehicleSeatingCapacity seatingCapacity',
    'seats, number of seats, seating capacity, sitze, sitzplatze, anzahl sitzplatze, places assises, nombre de places, plazas, asientos, posti, zitplaatsen, 座席数',
  ],
  [
    'vin',
    'code',
    'vehicleIdentificationNumber',
    'vin, vehicle identification number, chassis number, fahrgestellnummer, fin, numero de chassis, numero de bastidor, telaio, 車台番号',
  ],
  [
    'registrationNumber',
    'code',
    'identifier',
    'registration number, number plate, license plate, licence plate, registration mark, kennzeichen, immatriculation, matricula, targa, kenteken, rekisterinumero',
  ],
  [
    'bodyType',
    'text',
    'bodyType',
    'body type, body style, body, karosserie, karosserieform, aufbau, fahrzeugtyp, carrosserie, carroceria, carrozzeria, bodywork',
  ],
  [
    'heating',
    'text',
    'heating',
    'heating, heating type, heizung, heizungsart, chauffage, type de chauffage, calefaccion, riscaldamento, verwarming, 暖房',
  ],
  [
    'parking',
    'text',
    'parking',
    'parking, parking spaces, garage, car parking, stellplatz, stellplatze, parkplatz, stationnement, aparcamiento, estacionamiento, parcheggio, parkeren, 駐車場',
  ],
  [
    'checkIn',
    'time',
    'checkinTime',
    'check in, check in time, checkin, arrival, anreise, arrivee, heure d arrivee, entrada, hora de entrada, inchecken, チェックイン',
  ],
  [
    'checkOut',
    'time',
    'checkoutTime',
    'check out, check out time, checkout, departure, abreise, depart, heure de depart, salida, hora de salida, uitchecken, チェックアウト',
  ],
  [
    'minimumAge',
    'count',
    'typicalAgeRange requiredMinAge',
    'minimum age, min age, age limit, age restriction, age, ages, mindestalter, ab alter, altersfreigabe, age minimum, edad minima, eta minima, minimumleeftijd, 対象年齢',
  ],
  [
    'capacity',
    'count',
    'maximumAttendeeCapacity',
    'capacity, maximum capacity, max participants, places available, number of places, kapazitat, teilnehmerzahl, max teilnehmer, capacite, nombre de participants, aforo, capacidad, capienza, capaciteit, 定員',
  ],
  [
    'students',
    'count',
    'numberOfStudents',
    'students, enrolled students, number of students, enrolled, enrolments, enrollments, learners, teilnehmer, teilnehmende, inscrits, alumnos, estudiantes, iscritti, 受講者数',
  ],
  [
    'difficultyLevel',
    'text',
    'educationalLevel',
    'level, course level, skill level, niveau, nivel, livello, schwierigkeitsgrad, 難易度',
  ],
  [
    'photoCredit',
    'name',
    'image.creditText image.author.name',
    'photo credit, image credit, picture credit, photographer, photo by, bildnachweis, fotograf, credit photo, photographe, fotografo, foto di, 撮影',
  ],
]
