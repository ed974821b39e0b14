import type { Language } from './locale.ts'
import type { Random } from './random.ts'

interface Words {
  given: string[]
  family: string[]
  cities: string[]
  streets: string[]
  companies: string[]
}

const split = (text: string) => text.split('|')

const english: Words = {
  given: split('Amelia|Oliver|Priya|Marcus|Hannah|Tom|Yusuf|Grace|Ruth|Declan|Mei'),
  family: split('Hartley|Okafor|Lindqvist|Patel|Brennan|Whitmore|Kaur|O’Neill|Price|Young'),
  cities: split('Leeds|Bristol|Norwich|Cardiff|Aberdeen|York|Exeter|Derby|Reading|Bath'),
  streets: split('Mill Lane|Station Road|Queen Street|Church Hill|Park Avenue|Orchard Close'),
  companies: split('Northwind Analytics|Harbour & Sons|Tessellate|Copperfield Health|Brightwater Energy'),
}

const words: Record<Language, Words> = {
  'en-GB': english,
  'en-US': {
    ...english,
    cities: split('Portland, OR|Austin, TX|Madison, WI|Boise, ID|Raleigh, NC|Tucson, AZ|Albany, NY'),
    streets: split('Maple Ave|W 4th St|Cedar Ridge Dr|Elm Ct|Sunset Blvd|Old Mill Rd'),
    companies: split('Quillstack|Bluebonnet Labs|Riverbend Logistics|Granite Peak Software|Loomworks Inc.'),
  },
  de: {
    given: split('Katharina|Jürgen|Anneliese|Björn|Svenja|Lukas|Heike|Matthias|Ayşe|Timo'),
    family: split('Müller|Schönfeld|Vogt|Kühn|Baumgärtner|Yılmaz|Petersen|Hofmann|Groß'),
    cities: split('Köln|Münster|Leipzig|Nürnberg|Freiburg im Breisgau|Kassel|Lübeck|Würzburg'),
    streets: split('Lindenstraße|Am Alten Markt|Goethestr.|Hauptstraße|Bahnhofsplatz|Rosenweg'),
    companies: split(
      'Nordlicht Medizintechnik GmbH|Hanseatische Werke AG|Feldmann & Söhne KG|Stadtwerke Elbtal',
    ),
  },
  fr: {
    given: split('Camille|Étienne|Aurélie|Mathieu|Nadia|François|Chloé|Benoît|Inès|Rémi'),
    family: split('Lefèvre|Moreau|Benali|Garnier|Dupré|Rousseau|Marchand|Le Goff|Faure'),
    cities: split('Nantes|Grenoble|Rennes|Montpellier|Dijon|Lille|Besançon|Orléans'),
    streets: split('rue des Tilleuls|avenue de la République|place du Marché|rue Victor-Hugo|quai Sud'),
    companies: split('Atelier Bellerive|Solutions Armor|Groupe Valmont|Cabinet Duroc|Énergies du Léman'),
  },
  es: {
    given: split('Lucía|Íñigo|Carmen|Andrés|Marta|Joaquín|Begoña|Álvaro|Rocío|Sergio'),
    family: split('Muñoz Ortega|García Peña|Ibáñez Soler|Núñez Rey|Castro Vidal|Jiménez Lara'),
    cities: split('Zaragoza|Málaga|Gijón|Valladolid|A Coruña|Cádiz|Murcia|Logroño'),
    streets: split('calle Mayor|avenida de la Constitución|plaza de España|calle del Olmo|paseo Marítimo'),
    companies: split('Ibérica de Riegos S.A.|Talleres Montoya|Grupo Alisios|Bodegas del Duero|Nexo Digital'),
  },
  ja: {
    given: split('健太|美咲|大輔|由美子|翔|直樹|彩|誠'),
    family: split('佐藤|高橋|渡辺|小林|吉田|山口|清水|森'),
    cities: split('横浜市|京都市|福岡市|仙台市|札幌市|金沢市|神戸市'),
    streets: split('中央区本町|北区大手町|西区みなと町|青葉区一番町'),
    companies: split('株式会社ひかり電機|東海システム株式会社|青葉出版|有限会社みどり製作所'),
  },
}

export function personName(random: Random, language: Language): string {
  const { given, family } = words[language]
  const [first, last] = [random.pick(given), random.pick(family)]
  return language === 'ja' ? `${last} ${first}` : `${first} ${last}`
}

export const city = (random: Random, language: Language) => random.pick(words[language].cities)
export const company = (random: Random, language: Language) => random.pick(words[language].companies)

export function streetAddress(random: Random, language: Language): string {
  const street = random.pick(words[language].streets)
  const house = random.integer(2, 148)
  if (language === 'de' || language === 'es') return `${street}${language === 'es' ? ',' : ''} ${house}`
  if (language === 'ja') return `${street}${random.integer(1, 9)}-${random.integer(1, 20)}`
  return `${house}${language === 'fr' ? ',' : ''} ${street}`
}

export function phone(random: Random, language: Language): string {
  const digits = (count: number) => Array.from({ length: count }, () => random.integer(0, 9)).join('')
  const pairs = () => Array.from({ length: 4 }, () => digits(2)).join(' ')
  switch (language) {
    case 'en-US':
      return `(${random.integer(201, 889)}) 555-0${digits(3)}`
    case 'en-GB':
      return `+44 (0)1632 960${digits(3)}`
    case 'de':
      return `0${random.integer(221, 991)} / ${digits(4)}-${digits(3)}`
    case 'fr':
      return `0${random.integer(1, 5)} ${pairs()}`
    case 'es':
      return `9${digits(2)} ${digits(3)} ${digits(3)}`
    case 'ja':
      return `0${random.integer(3, 9)}-${random.integer(2100, 9999)}-${digits(4)}`
  }
}

/** As in an address: no accents, no spaces. */
export function slug(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return encodeURI(plain.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, ''))
}
