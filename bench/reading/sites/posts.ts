import { addDays } from './locale.ts'
import type { Random } from './random.ts'
import { city, company } from './words.ts'

export interface Job {
  title: string
  employer: string
  place: string
  /** Yearly, in the currency of the language. */
  low: number
  high: number
  posted: string
  closes: string
  about: string
  tasks: string[]
  wants: string[]
}

interface Work {
  titles: string
  abouts: string
  tasks: string
  wants: string
}

const english: Work = {
  titles:
    'Senior Data Engineer|Registered Nurse (Nights)|Warehouse Team Leader|Payroll Officer|Frontend Developer|Primary School Teacher|Quantity Surveyor',
  abouts:
    'We are a growing team that cares about good tools and short meetings, and you will own your work from the first week.|You will join a friendly department that looks after four hundred people across the region.|This is a new role created by our move into a larger building next spring.',
  tasks:
    'Plan the week together with the team|Keep records accurate and up to date|Review the work of two junior colleagues|Report progress to the head of department|Improve how we hand over between shifts|Answer questions from other departments',
  wants:
    'At least three years in a similar role|Clear written English|A full driving licence|Experience with PostgreSQL or a similar system|Willingness to travel twice a year',
}

const works: Record<'en-US' | 'en-GB' | 'de' | 'fr' | 'es', Work> = {
  'en-US': english,
  'en-GB': english,
  de: {
    titles:
      'Sachbearbeiter (m/w/d) Einkauf|Softwareentwickler Java (m/w/d)|Pflegefachkraft (w/m/d) Intensivstation|Elektroniker für Betriebstechnik (m/w/d)|Werkstudent Marketing (m/w/d)',
    abouts:
      'Wir suchen zum nächstmöglichen Zeitpunkt Verstärkung für unser Team in einem wachsenden Familienunternehmen.|Bei uns erwarten Sie flache Hierarchien, kurze Wege und eine gründliche Einarbeitung.',
    tasks:
      'Betreuung unserer Bestandskunden|Pflege der Stammdaten im ERP-System|Abstimmung mit Lieferanten|Wartung der technischen Anlagen|Erstellung von Auswertungen',
    wants:
      'Abgeschlossene Berufsausbildung|Sicherer Umgang mit MS Office|Gute Deutschkenntnisse (mindestens B2)|Führerschein Klasse B',
  },
  fr: {
    titles:
      'Comptable confirmé (H/F)|Développeur web (H/F)|Infirmier de nuit (H/F)|Chargé de communication (H/F)|Technicien de maintenance (H/F)',
    abouts:
      'Au sein d’une équipe de douze personnes, vous participez au développement de nos activités régionales.|Dans le cadre d’un remplacement, nous recherchons une personne rigoureuse et curieuse.',
    tasks:
      'Suivre les dossiers clients|Préparer les réunions hebdomadaires|Tenir les tableaux de bord|Encadrer un apprenti',
    wants: 'Bac +2 minimum|Permis B|Maîtrise du pack Office|Première expérience réussie',
  },
  es: {
    titles:
      'Técnico de mantenimiento|Enfermera de urgencias|Desarrollador backend|Administrativo contable|Jefe de obra',
    abouts:
      'Buscamos una persona con iniciativa para incorporarse a un equipo joven y estable.|La empresa ofrece formación continua y un buen ambiente de trabajo.',
    tasks:
      'Atender a los proveedores|Elaborar informes mensuales|Supervisar las instalaciones|Coordinar turnos',
    wants: 'Experiencia mínima de dos años|Carné de conducir|Inglés medio|Residencia en la provincia',
  },
}

export function job(random: Random, language: keyof typeof works): Job {
  const { titles, abouts, tasks, wants } = works[language]
  const low = random.integer(24, 80) * 1000 + random.pick([0, 0, 500])
  const posted = addDays('2026-01-04', random.integer(0, 200))
  return {
    title: random.pick(titles.split('|')),
    employer: company(random, language),
    place: city(random, language),
    ...{ low, high: low + random.integer(3, 20) * 1000 },
    ...{ posted, closes: addDays(posted, random.integer(14, 45)) },
    about: random.pick(abouts.split('|')),
    tasks: random.some(tasks.split('|'), 3),
    wants: random.some(wants.split('|'), 2),
  }
}

export const otherJobs = (random: Random, language: keyof typeof works, count: number) =>
  Array.from({ length: count }, () => job(random, language))
