import { describe, expect, it } from 'vitest'
import { hiddenParts } from '../../content/hidden.ts'
import { parseHtml } from '../../content/tree/parse.ts'
import { readLines } from '../../reading/fields/lines.ts'
import { menuFromLines } from './from-lines.ts'

const page = (language: string, body: string) => ({
  language,
  html: `<!doctype html><html><body><header><nav><a href="/">Home</a></nav></header><main>${body}</main>
<footer><p>Open daily 11.30 - 22.00</p><p>© 2026 The Lantern</p></footer></body></html>`,
})

/** Sections as lines: a name, and each item with its description and its amounts. */
function shown({ language, html }: ReturnType<typeof page>): string[] {
  const tree = parseHtml(html)
  const locale = { language, host: 'lantern.example', country: undefined }
  const { sections } = menuFromLines(readLines(tree, hiddenParts(tree)), {
    locale,
    base: 'https://lantern.example/',
  })
  return sections.flatMap(({ name, description, items }) => [
    [`# ${name}`, description].filter(Boolean).join(' | '),
    ...items.map((item) => {
      const amounts = item.prices.map((one) =>
        one.name ? `${one.name}=${one.price.amount}` : one.price.amount,
      )
      return [item.name, item.description, amounts.join(' ')].filter(Boolean).join(' | ')
    }),
  ])
}

const card = (name: string, text: string, price: string) =>
  `<div class="item"><h3>${name}</h3><p>${text}</p><span class="price">${price}</span><button>Add</button></div>`

describe('the lines of a menu', () => {
  it.each([
    [
      'cards',
      page(
        'en-US',
        `<h2>Starters</h2><p>To share.</p>${card('Tomato soup', 'basil oil', '$8')}${card('Crab cakes', 'remoulade', '$14.50')}<h2>Mains</h2>${card('Steak', 'aged', '$32')}`,
      ),
      [
        '# Starters | To share.',
        'Tomato soup | basil oil | 8',
        'Crab cakes | remoulade | 14.5',
        '# Mains',
        'Steak | aged | 32',
      ],
    ],
    [
      'dotted leaders, with descriptions on lines of their own',
      page(
        'de',
        '<h2>Vorspeisen</h2><p>Tomatensuppe ........ 5,90 €</p><p>Bruschetta ........ 6,50 €</p><p>mit Basilikum</p><h2>Hauptgerichte</h2><p>Schnitzel ... 18,90 €</p><p>Käsespätzle ... 13,50 €</p><p>Alle Preise inkl. MwSt.</p>',
      ),
      [
        '# Vorspeisen',
        'Tomatensuppe | 5.9',
        'Bruschetta | mit Basilikum | 6.5',
        '# Hauptgerichte',
        'Schnitzel | 18.9',
        'Käsespätzle | 13.5',
      ],
    ],
    [
      'definition lists',
      page(
        'fr',
        '<h2>Entrées</h2><dl><dt>Soupe à l’oignon</dt><dd>gratinée</dd><dd>9,50 €</dd><dt>Salade niçoise</dt><dd>thon, olives</dd><dd>12 €</dd></dl>',
      ),
      ['# Entrées', 'Soupe à l’oignon | gratinée | 9.5', 'Salade niçoise | thon, olives | 12'],
    ],
    [
      'a table with a price for each size',
      page(
        'it',
        '<table><caption>Pizze</caption><thead><tr><th>Pizza</th><th>Normale</th><th>Grande</th></tr></thead><tr><td>Margherita</td><td>7,00</td><td>9,50</td></tr><tr><td>Marinara</td><td>6,00</td><td>8,50</td></tr></table>',
      ),
      ['# Pizze', 'Margherita | Normale=7 Grande=9.5', 'Marinara | Normale=6 Grande=8.5'],
    ],
    [
      'headings, texts and prices one below the other',
      page(
        'es',
        '<h2>Tapas</h2><h3>Croquetas</h3><p>de jamón</p><p>8,00 €</p><h3>Tortilla</h3><p>de patatas</p><p>7,50 €</p><h2>Postres</h2><h3>Helado</h3><p>dos bolas</p><p>5 €</p>',
      ),
      [
        '# Tapas',
        'Croquetas | de jamón | 8',
        'Tortilla | de patatas | 7.5',
        '# Postres',
        'Helado | dos bolas | 5',
      ],
    ],
    [
      'names, descriptions and prices in paragraphs',
      page(
        'en-GB',
        '<h2>Sandwiches</h2><p>Cheese toastie</p><p>cheddar, onion</p><p>£7.50</p><p>Bacon roll</p><p>brown sauce</p><p>£6</p>',
      ),
      ['# Sandwiches', 'Cheese toastie | cheddar, onion | 7.5', 'Bacon roll | brown sauce | 6'],
    ],
    [
      'names and prices, descriptions behind them',
      page(
        'en-GB',
        '<h2>Mains</h2><p>Roast chicken</p><p>£17.50</p><p>lemon, garlic</p><p>Fish pie</p><p>£16</p><p>cod</p><p>Lamb curry</p><p>£15</p><p>rice</p>',
      ),
      ['# Mains', 'Roast chicken | lemon, garlic | 17.5', 'Fish pie | cod | 16', 'Lamb curry | rice | 15'],
    ],
    [
      'numbers alone at the end of a line',
      page(
        'en',
        '<h2>Small plates</h2><ul><li><span>Burrata</span> <span>peach, basil</span> <span>16</span></li><li><span>Oysters</span> <span>mignonette</span> <span>21</span></li></ul>',
      ),
      ['# Small plates', 'Burrata | peach, basil | 16', 'Oysters | mignonette | 21'],
    ],
    [
      'names in bold type, sections in capitals',
      page(
        'sv',
        '<p><strong>FÖRRÄTTER</strong></p><p><strong>Toast skagen</strong> räkor, citron 145 kr</p><p><strong>Löjrom</strong> smetana 195 kr</p>',
      ),
      ['# FÖRRÄTTER', 'Toast skagen | räkor, citron | 145', 'Löjrom | smetana | 195'],
    ],
    [
      'one paragraph with breaks',
      page(
        'nl',
        '<h2>Soepen</h2><p>Tomatensoep € 6,50<br>met basilicum<br>Uiensoep € 7,00<br>Vissoep € 9,00</p>',
      ),
      ['# Soepen', 'Tomatensoep | met basilicum | 6.5', 'Uiensoep | 7', 'Vissoep | 9'],
    ],
    [
      'several sizes in a line',
      page(
        'de-AT',
        '<h2>Weine</h2><ul><li>Grüner Veltliner 0,2 l 5,50 € 0,75 l 19,00 €</li><li>Riesling 0,2 l 6,00 € 0,75 l 21,00 €</li></ul>',
      ),
      ['# Weine', 'Grüner Veltliner | 0,2 l=5.5 0,75 l=19', 'Riesling | 0,2 l=6 0,75 l=21'],
    ],
    [
      'cards with pictures, ratings and buttons',
      page(
        'es',
        `<section><h3>🌅 Desayunos</h3><div class="grid">${['Huevos', 'Molletes']
          .map(
            (name, at) =>
              `<div class="card"><div class="image">🍳</div><span>Desayuno</span><h3>${name}</h3><div class="row"><div><span>4.5</span></div><span>$${at + 3}5.00</span></div><a href="/x">Agregar</a></div>`,
          )
          .join('')}</div></section>`,
      ),
      ['# 🌅 Desayunos', 'Huevos | Desayuno | 35', 'Molletes | Desayuno | 45'],
    ],
    [
      'cards with a front and a back',
      page(
        'en',
        `<h2>SALADS</h2>${['Chicken salad', 'Halloumi salad']
          .map(
            (name) =>
              `<div class="flip"><div class="front"><span class="tag">SALADS</span><h3>${name}</h3><span>15.00 $</span></div><div class="back"><h3>${name}</h3><p>with greens</p><span>15.00 $</span></div></div>`,
          )
          .join('')}`,
      ),
      ['# SALADS', 'Chicken salad | with greens | 15', 'Halloumi salad | with greens | 15'],
    ],
    [
      'a language without spaces',
      page('ja', '<h2>定食</h2><ul><li>唐揚げ定食 1,200円</li><li>刺身定食 1,800円</li></ul>'),
      ['# 定食', '唐揚げ定食 | 1200', '刺身定食 | 1800'],
    ],
  ])('are read from %s', (_, given, expected) => {
    expect(shown(given)).toEqual(expected)
  })

  it.each([
    ['prices in sentences', '<p>The pier cost £5 million, which was a lot. It cost £3 more.</p>'],
    ['opening hours', '<p>Monday 11.30 - 22.00</p><p>Tuesday 12.00 bis 21.30</p>'],
    ['prices per head', '<p>51.50 p/pers</p><p>£20 per person</p>'],
    ['what is hidden', '<p style="display:none">Soup £5</p>'],
  ])('have no items in %s', (_, body) => {
    expect(shown(page('en', body))).toEqual([])
  })
})
