import type { ScrapeRequest } from '../scrape/schema.ts'

/** The author of a fix: a rule of this service, or a language model, which may repeat text of a page. */
export type FixSource = 'rule' | 'model'

/**
 * open: the value of the job is repeated, and a fix may set another one.
 * stored: the value of the job is repeated, and a fix may not set it.
 * own: the trial sets it, whatever the job or a fix has.
 * checked: a function below decides.
 */
type TrialRule = 'open' | 'stored' | 'own' | 'checked'

/**
 * The only list of options that a trial takes over. A new option of a scrape does not compile until it is decided here,
 * and an option that is not listed is refused.
 */
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

/** Actions that change nothing on the site: they may be repeated and tried at any time. */
const readOnlyActions = new Set(['wait', 'scroll'])
/** Actions that only return something which no trial reads. */
const captureActions = new Set(['screenshot', 'scrape', 'pdf'])
/** Actions with effects that a model may try if the caller allows actions. It may neither type text nor run scripts. */
const actionsOfModel = new Set(['click', 'press'])

/** Options of a crawl or a map that a trial follows. */
const exploredOptions = new Set(
  [
    'limit sitemap maxDiscoveryDepth crawlEntireDomain filterByPath',
    'allowSubdomains includeSubdomains allowExternalLinks ignoreQueryParameters',
    'includePaths excludePaths regexOnFullURL deduplicateSimilarURLs ignoreRobotsTxt',
  ].flatMap((line) => line.split(' ')),
)

export interface TrialRequest {
  url: string
  /** The request of the job as far as it is on record. */
  stored: Record<string, unknown>
  fix: Record<string, unknown>
  source: FixSource
  /** True if the caller allows actions with effects. */
  allowsActions: boolean
}

/** A request that can be sent, with what it does beside reading; or the reason why it is not sent. */
export type PlannedTrial =
  | { request: Record<string, unknown>; actions: string[]; notes: string[] }
  | { refused: string }

/** Builds the read-only request of a trial from the allow list. */
export function planTrial(order: TrialRequest): PlannedTrial {
  const { stored, fix, url } = order
  if ('task' in stored) return { refused: 'An agent worked on this page; its task is not repeated.' }
  const wrong = Object.keys(fix).find((name) => !mayBeSet(name))
  if (wrong !== undefined) return { refused: `A trial does not set the option ${wrong.slice(0, 60)}.` }
  // A page could talk a model into it, and then read what the headers of the job carry.
  if (order.source === 'model' && 'skipTlsVerification' in fix)
    return { refused: 'A trial of a language model does not set the option skipTlsVerification.' }
  const actions = planActions(order)
  if ('refused' in actions) return actions
  const profile = planProfile(order)
  if ('refused' in profile) return profile
  // The page that the job has cached would show nothing new, so the maximum age of the job is not repeated.
  const carried = Object.entries({
    ...{ ...taken(stored, ['open', 'stored']), maxAge: 0 },
    ...taken(fix, ['open']),
  })
  return {
    request: {
      // A value of null means that the option is left out.
      ...Object.fromEntries(carried.filter(([, value]) => value !== null)),
      ...(actions.list.length > 0 ? { actions: actions.list } : {}),
      ...profile,
      ...{ url, formats: formatsOf(stored), storeInCache: false, zeroDataRetention: false },
    },
    actions: typesOf(actions.list).filter((type) => !readOnlyActions.has(type)),
    notes: notesOf(stored),
  }
}

/** The reason why a fix of a crawl or a map is not tried; undefined if it may be. */
export function refusalOfExploration(fix: Record<string, unknown>): string | undefined {
  const wrong = Object.keys(fix).find((name) => !exploredOptions.has(name))
  return wrong === undefined ? undefined : `A trial does not set the option ${wrong.slice(0, 60)}.`
}

function ruleOf(name: string): TrialRule | undefined {
  return Object.hasOwn(trialRules, name) ? trialRules[name as keyof typeof trialRules] : undefined
}

function mayBeSet(name: string): boolean {
  const rule = ruleOf(name)
  return rule === 'open' || rule === 'checked'
}

function taken(options: Record<string, unknown>, rules: TrialRule[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).filter(([name]) => rules.some((rule) => rule === ruleOf(name))),
  )
}

/** Only Markdown and values are compared. Every other format is left out, as some of them store or download files. */
function formatsOf({ formats }: Record<string, unknown>): unknown[] {
  const values = listOf(formats).find((format) => typeOf(format) === 'json')
  return ['markdown', ...(values === undefined ? [] : [values])]
}

function planActions({
  stored,
  fix,
  source,
  allowsActions,
}: TrialRequest): { list: unknown[] } | { refused: string } {
  const ofJob = listOf(stored.actions).filter((action) => !captureActions.has(typeOf(action)))
  const ofFix = 'actions' in fix ? listOf(fix.actions) : undefined
  const withEffects = typesOf([...ofJob, ...(ofFix ?? [])]).filter((type) => !readOnlyActions.has(type))
  if (withEffects.length > 0 && !allowsActions) {
    const types = [...new Set(withEffects)].join(', ').slice(0, 100)
    return {
      refused: `The trial would run actions with effects on the site (${types}). Ask with allowActions: true to allow it.`,
    }
  }
  const foreign =
    source === 'model'
      ? typesOf(ofFix ?? []).find((type) => !readOnlyActions.has(type) && !actionsOfModel.has(type))
      : undefined
  if (foreign !== undefined)
    return { refused: `A trial of a language model does not run the action ${foreign.slice(0, 60)}.` }
  return { list: ofFix ?? ofJob }
}

/** The profile of the job is loaded and never saved; a fix may not name another one. */
function planProfile({ stored, fix }: TrialRequest): { profile?: object } | { refused: string } {
  const name = nameOf(stored.profile)
  if ('profile' in fix && fix.profile !== null && (name === undefined || nameOf(fix.profile) !== name))
    return { refused: 'A trial does not load another profile than that of the job.' }
  return name === undefined || fix.profile === null ? {} : { profile: { name, saveChanges: false } }
}

function notesOf({ headerNames, headers }: Record<string, unknown>): string[] {
  const names = listOf(headerNames).filter((name) => typeof name === 'string')
  if (names.length === 0 || headers !== undefined) return []
  return [`without the headers ${names.join(', ').slice(0, 200)}, whose values are not on record`]
}

const listOf = (given: unknown): unknown[] => (Array.isArray(given) ? given : [])

const typesOf = (actions: unknown[]) => actions.map(typeOf)

function typeOf(given: unknown): string {
  if (typeof given === 'string') return given
  const type = typeof given === 'object' && given !== null && 'type' in given ? given.type : undefined
  return typeof type === 'string' ? type : ''
}

function nameOf(profile: unknown): string | undefined {
  const name = typeof profile === 'object' && profile !== null && 'name' in profile ? profile.name : undefined
  return typeof name === 'string' ? name : undefined
}
