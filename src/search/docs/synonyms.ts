import type { Language } from '../../reading/text/languages.ts'
import { fold } from '../../reading/text/words.ts'

/** Words that users of such services use for the same thing. Each line is read in both directions. */
const groups = [
  'js javascript script',
  'empty blank nothing missing',
  'image picture photo',
  'login signin authentication credential password',
  'delete remove erase forget clear purge',
  'cancel stop abort kill',
  'price cost charge billing pay credit',
  'database db postgres postgresql sqlite sql',
  'docker container podman',
  'setting configuration config configure variable environment env option',
  'crash kill die restart survive',
  'limit maximum max quota cap most restrict',
  'throttle rate',
  'popup dialog banner overlay consent',
  'ad advertisement',
  'llm gpt ai openai chatgpt model',
  'ollama openai anthropic claude gemini model',
  'ocr scan scanned recognition',
  'upgrade update migrate migration',
  'chrome chromium browser headless',
  'webhook callback notification notify',
  'ssl tls https certificate self-signed',
  'pii personal redact anonymize mask gdpr privacy',
  'block blocked captcha bot',
  'wait delay sleep pause',
  'mobile phone smartphone',
  'concurrency parallel simultaneous concurrent',
  'memory ram megabyte mb',
  'cache cached stale fresh',
  'country location geo region',
  'install setup deploy',
  'intranet localhost private internal local lan',
  's3 bucket minio storage blob',
  'monitor metrics prometheus observability',
  'change diff difference track',
  'structured schema extract json',
  'sitemap map',
  'discard skip exclude ignore',
  'depth deep level',
  'regex pattern glob',
  'mp3 audio recording sound',
  'pdf document file',
  'word docx office excel xlsx spreadsheet',
  'key token credential apikey',
  'account team tenant user organisation',
  'session browser remote',
  'cookie storage profile',
  'reproduce replay',
  'header user-agent',
  'menu navigation footer boilerplate',
  'error failure fail failed',
  'slow performance fast speed latency',
  'retry attempt again',
  'url link address',
  'duplicate deduplicate same similar',
  'expire retention kept keep lifetime',
  'summary summarise summarize',
  'logo brand branding colour color font',
  'result answer response output',
]

const others = new Map<string, Set<string>>()
for (const group of groups) {
  const words = group.split(' ')
  for (const word of words) others.set(word, new Set([...(others.get(word) ?? []), ...words]))
}

let byTerm: { stem: Language['stem']; terms: Map<string, string[]> } | undefined

/** The terms of other words for the same. */
export function synonymsOf(word: string, term: string, { stem }: Language): string[] {
  if (byTerm?.stem !== stem) {
    const terms = new Map(
      [...others].map(([one, same]) => [fold(stem(one)), [...same].map((other) => fold(stem(other)))]),
    )
    byTerm = { stem, terms }
  }
  return byTerm.terms.get(term) ?? [...(others.get(word) ?? [])].map((other) => fold(stem(other)))
}
