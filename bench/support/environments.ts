import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { MeasureError } from '../figure.ts'

const chromium =
  process.env.CHROMIUM_PATH ??
  ['/usr/lib/chromium/chromium-headless-shell', '/usr/lib/chromium/chromium'].find((path) => existsSync(path))

const sentenceModel = join(import.meta.dirname, '..', '..', '.prepared', 'sentence-model')

const common = {
  ALLOW_PRIVATE_NETWORK: '127.0.0.0/8',
  RATE_PER_MINUTE: '100000',
  SEARCH_PROVIDERS: 'none',
  SEARCH_SENTENCE_MODEL: existsSync(sentenceModel) ? sentenceModel : 'off',
  // With one retry, deliveries to a failing receiver end within the duration of a case.
  WEBHOOK_RETRIES: '1',
  TEAM_BROWSERS: '2',
  LOG_LEVEL: 'error',
}

/** Settings of the services that cases use; each service is started once. */
const environments = {
  /** Everything that the service can use, except a language model. */
  usual: common,
  /** Only Node, without browser and OCR. */
  bare: { ...common, TESSERACT_PATH: '/usr/bin/no-such-program' },
  /** Low limits for each team, no sandbox, and an unreachable search provider. */
  narrow: {
    ...common,
    TEAM_CREDITS: '20',
    RATE_PER_MINUTE: '12',
    TEAM_CONCURRENCY: '1',
    MAX_FILE_MB: '1',
    MAX_HTML_MB: '1',
    BUBBLEWRAP_PATH: '/usr/bin/no-such-program',
    SEARCH_PROVIDERS: 'searxng',
    // No server listens at this URL.
    SEARCH_URLS: 'searxng=http://127.0.0.77:49151',
  },
} as const

export type EnvironmentName = keyof typeof environments

export function settingsOf(name: EnvironmentName): Record<string, string> {
  if (name === 'bare') return environments.bare
  if (chromium === undefined) throw new MeasureError('no Chromium. Name it with CHROMIUM_PATH.')
  return { ...environments[name], CHROMIUM_PATH: chromium }
}
