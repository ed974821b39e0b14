import type { Language } from './locale.ts'
import type { Random } from './random.ts'

export interface Good {
  name: string
  brand: string
  sku: string
  gtin: string
  price: number
  /** Before it was reduced. */
  was: number | undefined
  rating: number | undefined
  reviews: number | undefined
  inStock: boolean
  about: string
  features: string[]
}

const split = (text: string) => text.split('|')

interface Shelf {
  /** Kind, then what tells one of them from another. */
  kinds: string[]
  variants: string[]
  brands: string[]
  abouts: string[]
  features: string[]
}

const english: Shelf = {
  kinds: split('Pour-Over Kettle|Merino Base Layer|Trail Running Pack|Walnut Desk Lamp|Cast Iron Skillet'),
  variants: split('Classic|1.0 L|No. 7|Mk II|Slim|Pro 300|Forest Green'),
  brands: split('Fellside|Holm & Rye|Kestrel|Aldous|Brackwater|Osprey Lane'),
  abouts: split(
    'Made in small batches by people who use it every day, and built to be repaired rather than replaced.|A quiet everyday companion that does one thing well and asks for very little in return.|Designed with guides in the Lake District and tested through three wet winters before it reached the shop.|Balanced in the hand and easy to clean, it earns its place on the shelf within a week.',
  ),
  features: split(
    'Two-year guarantee|Dishwasher-safe parts|Recycled packaging|Stainless steel body|Replaceable battery|Folds flat for storage',
  ),
}

const shelves: Record<Language, Shelf> = {
  'en-GB': english,
  'en-US': english,
  de: {
    kinds: split('Akku-Bohrschrauber|Wasserkocher|Wanderrucksack|Schreibtischleuchte|Kaffeemühle'),
    variants: split('Basis|1,7 l|Typ 300|schwarz|Eiche|XL|18 V'),
    brands: split('Brandt|Kluge|Ostwerk|Söhngen|Tannwald'),
    abouts: split(
      'Robust verarbeitet, leise im Betrieb und für den täglichen Einsatz in Haushalt und Werkstatt gemacht.|Ein zuverlässiger Begleiter, der sich leicht reinigen lässt und wenig Platz beansprucht.|Entwickelt und gefertigt in Süddeutschland, mit Ersatzteilen, die zehn Jahre lang lieferbar bleiben.',
    ),
    features: split(
      'Zwei Jahre Garantie|Abschaltautomatik|Inklusive Koffer|Spülmaschinengeeignet|LED-Anzeige',
    ),
  },
  fr: {
    kinds: split('Cafetière à piston|Lampe de bureau|Sac à dos|Couteau d’office|Bouilloire'),
    variants: split('édition bleue|1,5 L|grand modèle|chêne|n° 5'),
    brands: split('Maison Ferrand|Lavergne|Alpage|Tardieu|Bréhat'),
    abouts: split(
      'Fabriqué en petite série dans notre atelier du Jura, pensé pour durer et facile à réparer.|Un objet simple et solide, qui trouve sa place dans toutes les cuisines.|Imaginé par un designer breton, il allie des matériaux naturels et une grande légèreté.',
    ),
    features: split('Garantie 5 ans|Compatible lave-vaisselle|Emballage recyclé|Livré avec housse'),
  },
  es: {
    kinds: split('Cafetera italiana|Mochila de montaña|Lámpara de mesa|Sartén de hierro|Hervidor'),
    variants: split('6 tazas|azul marino|30 L|roble|edición limitada'),
    brands: split('Montseny|Albero|Casa Luján|Tramuntana|Oria'),
    abouts: split(
      'Fabricada de forma artesanal con materiales duraderos y pensada para el uso diario.|Ligera, resistente y muy fácil de limpiar; una compra para muchos años.|Diseñada en Barcelona y probada por profesionales durante más de dos temporadas.',
    ),
    features: split('Garantía de 3 años|Apta para lavavajillas|Envase reciclado|Incluye funda'),
  },
  ja: {
    kinds: split('電気ケトル|折りたたみ傘|デスクライト|鉄フライパン|コーヒーミル'),
    variants: split('ブラック|1.2L|Mサイズ|26cm|限定モデル'),
    brands: split('山善堂|KIRIKO|白峰|アオバ'),
    abouts: split(
      '毎日の暮らしに寄り添うシンプルなデザインで、長くお使いいただけます。|職人が一点ずつ仕上げた、丈夫でお手入れの簡単な逸品です。',
    ),
    features: split('1年保証|食洗機対応|日本製|収納袋付き'),
  },
}

export function good(random: Random, language: Language): Good {
  const shelf = shelves[language]
  const cents = language === 'ja' ? 0 : random.pick([0, 0.5, 0.95, 0.99])
  const price = (language === 'ja' ? random.integer(12, 240) * 100 : random.integer(9, 1400)) + cents
  const isReduced = random.chance(0.4)
  const isRated = random.chance(0.7)
  return {
    name: `${random.pick(shelf.kinds)} ${random.pick(shelf.variants)}`,
    brand: random.pick(shelf.brands),
    sku: `${random.pick(['AB', 'KT', 'XR', 'N'])}-${random.integer(1000, 98_999)}`,
    gtin: `40${random.integer(10_000_000_000, 99_999_999_999)}`,
    price,
    was: isReduced ? Math.round(price * random.pick([1.2, 1.25, 1.4]) * 100) / 100 : undefined,
    rating: isRated ? random.integer(31, 50) / 10 : undefined,
    reviews: isRated ? random.integer(2, 1840) : undefined,
    inStock: random.chance(0.75),
    about: random.pick(shelf.abouts),
    features: random.some(shelf.features, random.integer(2, 4)),
  }
}

/** What stands beside the one that was asked for. */
export const otherGoods = (random: Random, language: Language, count: number) =>
  Array.from({ length: count }, () => good(random, language))

/** As schema.org names it. */
export const availability = (inStock: boolean) => `http://schema.org/${inStock ? 'InStock' : 'OutOfStock'}`
