import { addDays } from './locale.ts'
import type { Random } from './random.ts'
import { personName } from './words.ts'

export interface Story {
  headline: string
  lead: string
  paragraphs: string[]
  author: string
  published: string
  time: string
}

type Tongue = 'en-GB' | 'en-US' | 'de' | 'fr' | 'ja'

const english = {
  headlines:
    'Ferry link to the islands restored after nine weeks|Council votes to reopen the lido|Why small bakeries are buying their own mills|Solar farm plan divides village|Nurses’ choir wins national prize',
  leads:
    'The first boat left at dawn with forty passengers and a van full of post.|Members backed the plan by a narrow margin after a debate that lasted until midnight.|Rising prices have made an old idea attractive again.',
  paragraphs:
    'People who live nearby said they had waited a long time for a decision and were relieved that it had come before the winter.|The work is expected to cost £2.4m and to take eighteen months, according to a paper published on 3 February 2025.|Critics say the figures leave out the cost of the road, which has not been repaired since 1998.|A spokesperson declined to comment on the numbers but said that a report would follow in the autumn.|Similar schemes in Norway and Ireland have been running for more than a decade.',
}

const texts: Record<Tongue, typeof english> = {
  'en-GB': english,
  'en-US': english,
  de: {
    headlines:
      'Stadtrat beschließt neue Radwege|Warum das Freibad länger geöffnet bleibt|Handwerker klagen über fehlenden Nachwuchs|Fähre nach Umbau wieder im Einsatz',
    leads:
      'Nach langer Debatte fiel die Entscheidung knapp aus. Gebaut werden soll ab dem Frühjahr.|Die Betreiber reagieren auf den warmen Herbst und auf viele Bitten der Gäste.',
    paragraphs:
      'Anwohner zeigten sich erleichtert, dass die Entscheidung noch vor dem Winter gefallen ist.|Die Kosten werden auf 2,4 Millionen Euro geschätzt, wie aus einem Papier vom 3. Februar 2025 hervorgeht.|Kritiker bemängeln, dass die Straße seit 1998 nicht saniert wurde.|Eine Sprecherin wollte sich zu den Zahlen nicht äußern.',
  },
  fr: {
    headlines:
      'La piscine municipale rouvrira au printemps|Les boulangers misent sur le blé local|Le bac vers l’île reprend la mer|Un parc solaire divise le village',
    leads:
      'Le conseil a tranché tard dans la nuit, à trois voix près.|Face à la hausse des prix, une vieille idée redevient séduisante.',
    paragraphs:
      'Les riverains se disent soulagés que la décision soit tombée avant l’hiver.|Le chantier est estimé à 2,4 millions d’euros, selon un rapport du 3 février 2025.|Les opposants rappellent que la route n’a pas été refaite depuis 1998.|La mairie n’a pas souhaité commenter ces chiffres.',
  },
  ja: {
    headlines: '離島航路が九週間ぶりに再開|市民プール、来春に再オープンへ|小さなパン屋が製粉機を買う理由',
    leads:
      '始発便は四十人の乗客と郵便物を載せて夜明けに出港した。|深夜まで続いた議論の末、僅差で可決された。',
    paragraphs:
      '周辺の住民は、冬を前に結論が出たことに安堵の表情を見せた。|事業費は二十四億円と見込まれ、完成まで一年半かかる見通しだ。|担当者は数字についてのコメントを控えた。',
  },
}

export function story(random: Random, language: Tongue): Story {
  const { headlines, leads, paragraphs } = texts[language]
  return {
    headline: random.pick(headlines.split('|')),
    lead: random.pick(leads.split('|')),
    paragraphs: random.shuffled(paragraphs.split('|')).slice(0, 4),
    author: personName(random, language),
    published: addDays('2026-01-02', random.integer(0, 260)),
    time: `${String(random.integer(6, 22)).padStart(2, '0')}:${random.integer(10, 59)}`,
  }
}

export const otherHeadlines = (random: Random, language: Tongue, count: number) =>
  Array.from({ length: count }, () => story(random, language))
