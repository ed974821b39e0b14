import type { ScrapeRequest } from '../scrape/schema.ts'

/** Author of a fix: a rule of this service, or a language model. A model may repeat untrusted text of a page. */
export type FixSource = 'rule' | 'model'

/**
 * Rule for one option of a trial.
 * `open`: the value of the job is repeated, and a fix may set another one.
 * `stored`: the value of the job is repeated, and a fix may not set it.
 * `own`: the trial sets the value, regardless of the job and the fix.
 * `checked`: `planActions` or `planProfile` sets the value.
 */
type TrialRule = 'open' | 'stored' | 'own' | 'checked'

/** Allow list of the options of a trial. A new scrape option causes a compile error until it has a rule here. */
export const trialRules = {
  url: 'own',
  formats: 'own',
  storeInCache: 'own',
  zeroDataRetention: 'own',
  origin: 'own',
  integration: 'own',
  headers: 'stored',
  lockdown: 'stored',
  redactPII: 'stored',
  actions: 'checked',
  profile: 'checked',
  onlyMainContent: 'open',
  mainContentMode: 'open',
  onlyCleanContent: 'open',
  includeTags: 'open',
  excludeTags: 'open',
  maxAge: 'open',
  minAge: 'open',
  waitFor: 'open',
  mobile: 'open',
  skipTlsVerification: 'open',
  timeout: 'open',
  parsers: 'open',
  location: 'open',
  removeBase64Images: 'open',
  blockAds: 'open',
  proxy: 'open',
  fastMode: 'open',
} satisfies Record<keyof ScrapeRequest, TrialRule>

const readOnlyActions = new Set(['wait', 'scroll'])
/** Actions that only return data which trials do not use. */
const captureActions = new Set(['screenshot', 'scrape', 'pdf'])
/** A model may try these if the caller allows actions. It may neither type text nor run scripts. */
const modelActions = new Set(['click', 'press'])

const exploredOptions = new Set(
  [
    'limit sitemap maxDiscoveryDepth crawlEntireDomain filterByPath',
    'allowSubdomains includeSubdomains allowExternalLinks ignoreQueryParameters',
    'includePaths excludePaths regexOnFullURL deduplicateSimilarURLs ignoreRobotsTxt',
  ].flatMap((line) => line.split(' ')),
)

export interface TrialRequest {
  url: string
  stored: Record<string, unknown>
  fix: Record<string, unknown>
  source: FixSource
  allowsActions: boolean
}

export type PlannedTrial =
  | { request: Record<string, unknown>; actions: string[]; notes: string[] }
  | { refused: string }

export function planTrial(request: TrialRequest): PlannedTrial {
  const { stored, fix, url } = request
  if ('task' in stored) return { refused: 'An agent worked on this page; its task is not repeated.' }
  const refused = refusalOf(fix, (name) => ['open', 'checked'].includes(ruleOf(name) ?? ''))
  if (refused !== undefined) return { refused }
  // Untrusted page content could make a model set it, and then read the headers of the job.
  if (request.source === 'model' && 'skipTlsVerification' in fix)
    return { refused: 'A trial of a language model does not set the option skipTlsVerification.' }
  const actions = planActions(request)
  if ('refused' in actions) return actions
  const profile = planProfile(request)
  if ('refused' in profile) return profile
  // The cached page of the job would not show a difference, so the maximum age of the job is not repeated.
  const allowed = Object.entries({
    ...{ ...pickByRule(stored, ['open', 'stored']), maxAge: 0 },
    ...pickByRule(fix, ['open']),
  })
  return {
    request: {
      // A value of null removes the option.
      ...Object.fromEntries(allowed.filter(([, value]) => value !== null)),
      ...(actions.list.length > 0 ? { actions: actions.list } : {}),
      ...profile,
      ...{ url, formats: formatsOf(stored), storeInCache: false, zeroDataRetention: false },
    },
    actions: effectsOf(actions.list),
    notes: describeMissingHeaders(stored),
  }
}

export const refusalOfExploration = (fix: Record<string, unknown>) =>
  refusalOf(fix, (name) => exploredOptions.has(name))

function refusalOf(fix: Record<string, unknown>, mayBeSet: (name: string) => boolean): string | undefined {
  const rejected = Object.keys(fix).find((name) => !mayBeSet(name))
  return rejected === undefined ? undefined : `A trial does not set the option ${rejected.slice(0, 60)}.`
}

function ruleOf(name: string): TrialRule | undefined {
  return Object.hasOwn(trialRules, name) ? trialRules[name as keyof typeof trialRules] : undefined
}

const pickByRule = (options: Record<string, unknown>, rules: (TrialRule | undefined)[]) =>
  Object.fromEntries(Object.entries(options).filter(([name]) => rules.includes(ruleOf(name))))

/** Returns Markdown and JSON formats, because only these are compared. Other formats may store or download files. */
function formatsOf({ formats }: Record<string, unknown>): unknown[] {
  const values = listOf(formats).find((format) => typeOf(format) === 'json')
  return ['markdown', ...(values === undefined ? [] : [values])]
}

function planActions(request: TrialRequest): { list: unknown[] } | { refused: string } {
  const { stored, fix, source, allowsActions } = request
  const jobActions = listOf(stored.actions).filter((action) => !captureActions.has(typeOf(action)))
  const fixActions = listOf(fix.actions)
  const effects = effectsOf([...jobActions, ...fixActions])
  if (effects.length > 0 && !allowsActions) {
    const types = [...new Set(effects)].join(', ').slice(0, 100)
    return {
      refused: `The trial would run actions with effects on the site (${types}). Ask with allowActions: true to allow it.`,
    }
  }
  const forbidden = effectsOf(fixActions).find((type) => source === 'model' && !modelActions.has(type))
  if (forbidden !== undefined)
    return { refused: `A trial of a language model does not run the action ${forbidden.slice(0, 60)}.` }
  return { list: 'actions' in fix ? fixActions : jobActions }
}

const effectsOf = (actions: unknown[]) => actions.map(typeOf).filter((type) => !readOnlyActions.has(type))

/** Loads the profile of the job and never saves it. A fix may not use another profile. */
function planProfile({ stored, fix }: TrialRequest): { profile?: object } | { refused: string } {
  const name = nameOf(stored.profile)
  if ('profile' in fix && fix.profile !== null && (name === undefined || nameOf(fix.profile) !== name))
    return { refused: 'A trial does not load another profile than that of the job.' }
  return name === undefined || fix.profile === null ? {} : { profile: { name, saveChanges: false } }
}

function describeMissingHeaders({ headerNames, headers }: Record<string, unknown>): string[] {
  const names = listOf(headerNames).filter((name) => typeof name === 'string')
  if (names.length === 0 || headers !== undefined) return []
  return [`without the headers ${names.join(', ').slice(0, 200)}, whose values are not on record`]
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

function typeOf(value: unknown): string {
  if (typeof value === 'string') return value
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined
  return typeof type === 'string' ? type : ''
}

function nameOf(profile: unknown): string | undefined {
  const name = typeof profile === 'object' && profile !== null && 'name' in profile ? profile.name : undefined
  return typeof name === 'string' ? name : undefined
}
