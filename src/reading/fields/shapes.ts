const money =
  /[\p{Sc}]\s?\d|\d[\d.,'’\s]*(?:[\p{Sc}]|(?:\b|\s)(?:usd|eur|gbp|chf|sek|nok|dkk|pln|czk|kr|zł|kč|euros?)(?![\p{L}])|円|元)/iu

/** Whether a text states an amount of money. */
export function isMoney(text: string): boolean {
  return text.length <= 80 && money.test(text)
}

const number = String.raw`(\d{1,2}(?:[.,]\d{1,2})?)`
const ofMost = new RegExp(
  String.raw`${number}\s*(?:\/|out of|of|von|sur|de|su|van|av|z)\s*(?:5|10)(?![\d.,%])`,
  'i',
)
const counted =
  /(\d[\d.,\u00A0\u202F]*)\s*(?:customer |global |verified |user )?(?:ratings?|reviews?|votes?|bewertungen|rezensionen|avis|opiniones|reseñas|valoraciones|recensioni|avaliações|beoordelingen|anmeldelser|omdömen|opinii|レビュー|件)/i

/** "4.5 out of 5 (123 reviews)": the average and how many there are, as far as a text says so. */
export function ratingIn(text: string): { rating?: string; ratingCount?: string } | undefined {
  // "Rate this: 1 out of 5" is a question.
  if (text.length > 160 || /\brate\b|bewerten|noter|puntuar|vota\b/i.test(text)) return undefined
  const [, average] = ofMost.exec(text) ?? []
  const [, count] = counted.exec(text) ?? []
  // "4.7 (86 reviews)": a number with a point in front of the count.
  const [, bare] = count === undefined ? [] : (/^\D{0,12}([0-9](?:[.,]\d{1,2}))(?=\D)/.exec(text) ?? [])
  if (average === undefined && bare !== undefined)
    return { rating: bare, ...(count === undefined ? {} : { ratingCount: count }) }
  if (average === undefined && count === undefined) return undefined
  return {
    ...(average === undefined ? {} : { rating: average }),
    ...(count === undefined ? {} : { ratingCount: count }),
  }
}

const outOfStock =
  /\b(?:out of stock|sold out|currently unavailable|no longer available|discontinued|nicht (?:auf lager|verfügbar|lieferbar)|ausverkauft|vergriffen|rupture de stock|épuisée?|indisponible|agotad[oa]|sin stock|no disponible|esaurit[oa]|non disponibile|esgotad[oa]|uitverkocht|niet (?:leverbaar|op voorraad)|udsolgt|slutsåld|niedostępny)\b|在庫切れ|売り切れ|品切れ/iu
const inStock =
  /\b(?:in stock|available now|ready to ship|ships (?:today|now|within)|add to (?:cart|basket|bag)|buy now|auf lager|sofort (?:lieferbar|verfügbar)|lieferbar|in den warenkorb|en stock|ajouter au panier|disponible|en existencia|añadir (?:al carrito|a la cesta)|disponibile|aggiungi al carrello|em estoque|adicionar ao carrinho|op voorraad|in winkelwagen|på lager|i lager|dostępny|do koszyka)\b|在庫あり|カートに入れる/iu

/** Whether a short text says that something can be had. */
export function availabilityIn(text: string): 'in' | 'out' | undefined {
  if (text.length > 80) return undefined
  if (outOfStock.test(text)) return 'out'
  return inStock.test(text) ? 'in' : undefined
}
