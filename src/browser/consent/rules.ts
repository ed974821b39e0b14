import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AutoConsentCMPRule, AutoConsentRuleStep } from '@duckduckgo/autoconsent'

/** The rules of autoconsent for the dialogs of consent managers. */
export interface ConsentRules {
  /** CSS: if none of it matches a page, no rule applies there. */
  selectors(url: string): string[]
  /** Whether a frame at this address may be a dialog. */
  knowsFrame(url: string): boolean
  /** A script whose value is autoconsent with the rules for a URL; it does nothing until called. */
  script(url: string, isMainFrame: boolean): string
}

let loading: Promise<ConsentRules> | undefined

/** Read with the first page that needs them. */
export function consentRules(): Promise<ConsentRules> {
  loading ??= load()
  return loading
}

async function load(): Promise<ConsentRules> {
  const { resolve } = createRequire(import.meta.url)
  const source = await readFile(resolve('@duckduckgo/autoconsent'), 'utf8')
  const file = await readFile(resolve('@duckduckgo/autoconsent/rules/rules.json'), 'utf8')
  // The package makes this file for its own class, whose type of a rule this is.
  const { autoconsent } = JSON.parse(file) as { autoconsent: AutoConsentCMPRule[] }
  const rules = autoconsent.map((rule) => ({
    rule,
    pattern: rule.runContext?.urlPattern ? new RegExp(rule.runContext.urlPattern) : undefined,
    isForFrames: rule.runContext?.frame === true,
    selectors: rule.detectCmp.flatMap(selectorsIn),
  }))
  const rulesFor = (url: string) => rules.filter(({ pattern }) => !pattern || pattern.test(url))
  return {
    selectors: (url) => [...writtenInCode, ...rulesFor(url).flatMap(({ selectors }) => selectors)],
    knowsFrame: (url) =>
      frameAddress.test(url) ||
      rules.some(({ pattern, isForFrames }) => isForFrames && pattern?.test(url) === true),
    script(url, isMainFrame) {
      const wanted = rulesFor(url).filter(({ isForFrames }) => isMainFrame || isForFrames)
      return script(
        source,
        wanted.map(({ rule }) => rule),
      )
    },
  }
}

/** What the rules look for that autoconsent carries as code. */
const writtenInCode = [
  ...['#onetrust-banner-sdk', '#onetrust-pc-sdk', '#CybotCookiebotDialog', '#dtcookie-container', '#cmpbox'],
  ...['#truste-show-consent', '#truste-consent-track', '#_evidon_banner', '.klaro', '.unic', '.cmp-root'],
  ...[
    'tiktok-cookie-banner',
    '#cmp-app-container',
    '[id^=sp_message_container_]',
    '[class*=Pills__StyledPill]',
  ],
]

/** Frames of consent managers that have no rule with an address. */
const frameAddress = /[?&]message_id=|\.sp-prod\.net\/|\.privacymanager\.io\/|consent|cookie/i

/** For a selector that pierces shadow roots, the first part is enough to know that the rest may match. */
function selectorsIn(step: AutoConsentRuleStep): string[] {
  const own = [step.exists, step.visible].map((selector) =>
    Array.isArray(selector) ? selector[0] : selector,
  )
  const css = own.filter((selector) => selector !== undefined && !selector.startsWith('xpath/'))
  return [...css.filter((selector) => selector !== undefined), ...(step.any ?? []).flatMap(selectorsIn)]
}

const settings = {
  // Disabled, it waits for calls; otherwise it would search on its own repeatedly.
  enabled: false,
  autoAction: null,
  isMainWorld: true,
  enablePrehide: true,
  heuristicMode: 'off',
  logs: {},
}

function script(source: string, rules: AutoConsentCMPRule[]): string {
  return `(() => {
    const module = { exports: {} }
    ${source}
    const consent = new module.exports.default(async () => {})
    consent.initialize(${JSON.stringify(settings)}, null)
    consent.parseDeclarativeRules({ autoconsent: ${JSON.stringify(rules)} })
    return consent
  })()`
}
