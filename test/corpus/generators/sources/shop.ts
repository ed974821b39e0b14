/** A product of a chandlery. Prices are in euros. */
export interface Product {
  name: string
  slug: string
  vendor: string
  sku: string
  price: string
  /** Price before the sale. */
  before?: string
  summary: string
  paragraphs: string[]
  features: string[]
  facts: [name: string, value: string][]
  options?: { name: string; values: string[] }[]
  isSoldOut?: boolean
  category: string
}

export interface Review {
  author: string
  date: string
  stars: number
  text: string
}

export const products: Product[] = [
  {
    name: 'Brass Tide Clock',
    slug: 'brass-tide-clock',
    vendor: 'Lumholt Instruments',
    sku: 'LI-204',
    price: '€148.00',
    summary: 'A clock whose single hand goes round once in a lunar day.',
    paragraphs: [
      'The hand stands at the top at high water and at the bottom at low water, so one look tells what the sea will do next.',
      'Set it once at full moon. On coasts with two tides a day it stays right within half an hour.',
    ],
    features: ['Case of solid brass', 'Glass of 3 mm', 'Runs two years on one cell'],
    facts: [
      ['Diameter', '120 mm'],
      ['Weight', '0.8 kg'],
      ['Movement', 'Quartz'],
    ],
    category: 'Instruments',
  },
  {
    name: 'Harbour Lead Line',
    slug: 'harbour-lead-line',
    vendor: 'Skerry Ropeworks',
    sku: 'SR-031',
    price: '€32.50',
    before: '€41.00',
    summary: 'Ten metres of marked line with a lead of two kilograms.',
    paragraphs: [
      'When the sounder is dead, the lead still works. The hollow at its foot takes tallow and brings up the bottom.',
    ],
    features: ['Marks of leather and cloth', 'Spliced by hand'],
    facts: [
      ['Length', '10 m'],
      ['Lead', '2 kg'],
    ],
    category: 'Instruments',
  },
  {
    name: 'Storm Oilskin Jacket',
    slug: 'storm-oilskin-jacket',
    vendor: 'Norden Wear',
    sku: 'NW-880',
    price: '€189.00',
    summary: 'Heavy cotton, proofed twice, with a collar that stays up.',
    paragraphs: [
      'Cut long at the back so that it covers the seat when you row. The cuffs close with one hand.',
    ],
    features: ['Two pockets for hands', 'One pocket for a chart'],
    facts: [
      ['Fabric', 'Waxed cotton'],
      ['Care', 'Sponge with cold water'],
    ],
    options: [
      { name: 'Size', values: ['Small', 'Medium', 'Large'] },
      { name: 'Colour', values: ['Mustard', 'Slate'] },
    ],
    category: 'Clothing',
  },
  {
    name: 'Paper Chart Weight',
    slug: 'paper-chart-weight',
    vendor: 'Lumholt Instruments',
    sku: 'LI-017',
    price: '€24.00',
    summary: 'Keeps the chart on the table when the boat leans.',
    paragraphs: ['Filled with shot and covered with felt. It does not scratch and does not roll.'],
    features: ['Felt on all sides', 'Sold by the pair'],
    facts: [['Weight', '0.5 kg']],
    category: 'Chart table',
    isSoldOut: true,
  },
  {
    name: 'Sounding Board Notebook',
    slug: 'sounding-board-notebook',
    vendor: 'Skerry Press',
    sku: 'SP-100',
    price: '€12.00',
    summary: 'Paper that takes pencil in the rain.',
    paragraphs: ['Sixty leaves of stone paper, ruled for depth, time and bottom.'],
    features: ['Lies flat', 'Floats'],
    facts: [
      ['Leaves', '60'],
      ['Format', 'A6'],
    ],
    category: 'Chart table',
  },
  {
    name: 'Folding Sounding Pole',
    slug: 'folding-sounding-pole',
    vendor: 'Skerry Ropeworks',
    sku: 'SR-055',
    price: '€58.00',
    before: '€64.00',
    summary: 'Three metres of ash in three parts.',
    paragraphs: ['Painted in bands of ten centimetres. The joints are bronze and do not seize.'],
    features: ['Fits under a thwart', 'Floats upright'],
    facts: [
      ['Length', '3 m'],
      ['Folded', '1.1 m'],
    ],
    category: 'Instruments',
  },
]

export const reviews: Review[] = [
  {
    author: 'Ingrid V.',
    date: 'March 2, 2026',
    stars: 5,
    text: 'Hangs above my galley and was right every day of a long summer.',
  },
  {
    author: 'Tom Arkle',
    date: 'February 11, 2026',
    stars: 4,
    text: 'Lovely thing. The screw holes are a little close to the rim.',
  },
  {
    author: 'Maelle',
    date: 'January 20, 2026',
    stars: 2,
    text: 'Our bay has only one tide a day, so it is of no use here. The page could say so.',
  },
]

export const questions: [question: string, answer: string][] = [
  [
    'Does it work in the Baltic?',
    'There is hardly any tide in the Baltic, so the hand will only show the moon.',
  ],
  ['Which cell does it take?', 'One AA cell, alkaline, which is not in the box.'],
]

export const shipping: string[][] = [
  ['Country', 'Days', 'Price'],
  ['Norway', '2', '€4.90'],
  ['Denmark', '3', '€5.90'],
  ['France', '5', '€9.90'],
]
