import { describe, expect, it } from 'vitest'
import { causes, diagnose } from '../diagnose.ts'
import type { SupportCase } from '../support-case.ts'

/** Builds a case that consists only of the words of a question. */
const caseOf = (words: string): SupportCase => ({
  ...{
    teamId: 'team',
    questionText: words,
    statements: words,
    job: undefined,
    page: undefined,
    children: [],
    request: {},
    document: undefined,
    now: 0,
    allowsActions: false,
  },
  ...{ targets: [], sessions: [], pageRequest: {} },
  account: {
    ...{ remainingCredits: null, running: 0, waiting: 0, maxConcurrency: 8 },
    ...{ callsThisMinute: 0, callsPerMinute: 600 },
  },
  capabilities: [],
})

const job: NonNullable<SupportCase['job']> = {
  ...{
    id: '1',
    kind: 'scrape',
    state: 'completed',
    target: 'https://tide.example/',
    parentId: null,
    attempts: 1,
  },
  ...{ createdAt: '', startedAt: null, finishedAt: '', credits: 1, error: null, steps: [], pages: null },
  deliveries: [],
}

const failed = (code: string): SupportCase => {
  const failedJob = { ...job, state: 'failed', error: { code, error: code, detail: {} } }
  return { ...caseOf('It fails.'), job: failedJob, page: failedJob }
}

const likeliestCause = async (facts: SupportCase) => (await diagnose(facts))[0]?.cause

describe('causes', () => {
  it.each(causes)('%s has a unique name', (name) => {
    expect(name).toMatch(/^[a-z0-9-]+$/)
    expect(causes.filter(([other]) => other === name)).toHaveLength(1)
  })

  it('finds no cause in a greeting', async () => {
    expect(await diagnose(caseOf('Hello.'))).toEqual([])
  })

  it.each([
    ['SCRAPE_DNS_RESOLUTION_ERROR', 'dns-error'],
    ['SCRAPE_SSL_ERROR', 'tls-error'],
    ['TARGET_FORBIDDEN', 'refused-address'],
    ['SCRAPE_TIMEOUT', 'timeout'],
    ['CONCURRENCY_QUEUE_TIMEOUT', 'concurrency-limit'],
    ['SCRAPE_NO_CACHED_DATA', 'cache-miss'],
    ['DOCUMENT_ENCRYPTED', 'file-encrypted'],
    ['DOCUMENT_LIMIT_EXCEEDED', 'file-too-large'],
    ['SCRAPE_PDF_OCR_REQUIRED', 'pdf-scanned'],
    ['PROFILE_IN_USE', 'profile-in-use'],
    ['BROWSER_NOT_CONFIGURED', 'browser-missing'],
    ['SANDBOX_NOT_CONFIGURED', 'sandbox-missing'],
    ['MODEL_NOT_CONFIGURED', 'model-not-configured'],
    ['SESSION_DESTROYED', 'session-expired'],
    ['SEARCH_ENGINE_FAILED', 'search-provider-down'],
    ['SCRAPE_ACTION_ERROR', 'action-failed'],
    ['SCRAPE_TOO_MANY_REDIRECTS', 'redirect-loop'],
  ])('maps %s to %s', async (code, cause) => {
    expect(await likeliestCause(failed(code))).toBe(cause)
  })

  it.each([
    ['I get 401 unauthorized with my key', 'wrong-key'],
    ['429 too many requests all the time', 'rate-limit'],
  ])('finds the cause of "%s"', async (words, cause) => {
    expect(await likeliestCause(caseOf(words))).toBe(cause)
  })

  it('has one sentence each as diagnosis and advice', () => {
    for (const finding of causes.flatMap(([, find]) => find(failed('SCRAPE_TIMEOUT')) ?? []))
      for (const text of [finding.diagnosis, finding.advice]) expect(text).toMatch(/^[A-Z0-9a-z"].*\.$/s)
  })
})
