/** The words of a query that fit into as many characters; a phrase that is cut loses its quote. */
export function fitQuery(text: string, most: number): string {
  if (text.length <= most) return text
  const space = text.lastIndexOf(' ', most)
  const cut = text.slice(0, space > 0 ? space : most)
  const quote = cut.split('"').length % 2 === 0 ? cut.lastIndexOf('"') : -1
  return quote < 0 ? cut : `${cut.slice(0, quote)}${cut.slice(quote + 1)}`
}
