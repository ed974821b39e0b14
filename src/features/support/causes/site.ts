import { type Causes, firstOf, whenFailedWith } from '../cause.ts'
import {
  failedWith,
  jobErrorOf,
  lastStep,
  lastVerdict,
  mentions,
  optionOf,
  pageSteps,
  quotesWarning,
  type SupportCase,
  stepsOf,
} from '../support-case.ts'

export const siteCauses: Causes = {
  'dns-error': whenFailedWith(['SCRAPE_DNS_RESOLUTION_ERROR'], (facts) => ({
    confidence: 0.97,
    diagnosis: `The host name of ${facts.job?.target ?? 'the URL'} does not resolve.`,
    advice:
      'Check its spelling and whether the site is public: names of an internal network are not known to this service.',
  })),

  'tls-error'(facts) {
    if (!failedWith(facts, 'SCRAPE_SSL_ERROR')) return undefined
    const isChecked = optionOf(facts, 'skipTlsVerification') !== true
    return {
      confidence: 0.96,
      diagnosis: `The TLS connection to the site failed${isChecked ? ': its certificate is not valid' : ''}.`,
      advice: isChecked
        ? 'skipTlsVerification: true accepts such a certificate.'
        : 'The site offers no TLS that can be used; try its address with http, or ask its owner.',
      fixes: isChecked ? [{ skipTlsVerification: true }] : [],
    }
  },

  'redirect-loop': whenFailedWith(['SCRAPE_TOO_MANY_REDIRECTS'], () => ({
    confidence: 0.95,
    diagnosis: 'The URL redirects too often or in a loop.',
    advice:
      'The site may want a cookie or another language: open the page in a browser with waitFor, send the header that it asks for, or use the address at which it ends in a browser.',
    fixes: [{ waitFor: 1000 }],
  })),

  'not-found'(facts) {
    const status = lastStep(facts, 'fetch')?.status
    if (status !== 404 && status !== 410) return undefined
    return {
      confidence: 0.85,
      diagnosis: `The site answers ${status}: it has no page at this address.`,
      advice: 'Check the URL; POST /v2/map lists the addresses that the site knows.',
    }
  },

  'soft-404'(facts) {
    const warning = /not found, although|parked or for sale/
    const hasWarning = warning.test(lastVerdict(facts)?.reason ?? '') || quotesWarning(facts, warning)
    const redirectTarget = findRedirectTarget(facts)
    const isNotice = hasWarning || isGoneNotice(facts)
    if (!isNotice && redirectTarget === undefined) return undefined
    return {
      confidence: hasWarning ? 0.93 : isNotice ? 0.88 : 0.84,
      diagnosis: isNotice
        ? 'The site answers 200 with a page that says that there is nothing at this address.'
        : `The site has no page at this address any more and leads visitors to ${redirectTarget} instead.`,
      advice: 'Check the URL; POST /v2/map lists the addresses that the site knows.',
    }
  },

  'site-error': whenFailedWith(
    ['SCRAPE_SITE_ERROR', 'SCRAPE_ALL_ENGINES_FAILED', 'BROWSER_FAILED'],
    (facts) => ({
      confidence: 0.6,
      diagnosis: jobErrorOf(facts, 'The site closed the connection before the page was complete.'),
      advice:
        'Try again later; if a browser can open the page, use proxy: "enhanced", or waitFor to have it opened in one here.',
      fixes: [{ waitFor: 1000 }, { proxy: 'enhanced' }],
    }),
  ),

  blocked(facts) {
    const verdict = lastVerdict(facts)
    const rejection = stepsOf(facts, 'fetch').find(({ status = 0 }) => rejectionStatuses.has(status))
    const isChallenged = verdict?.kind === 'blocked' || quotesWarning(facts, /blocked the request/)
    if (!isChallenged && !rejection) return undefined
    const reason = isChallenged
      ? (verdict?.reason ?? 'it shows a challenge')
      : `it answered ${rejection?.status}`
    return {
      confidence: isChallenged ? 0.93 : rejection?.status === 401 ? 0.7 : 0.86,
      diagnosis: `The site refuses automated visitors: ${reason}.`,
      advice:
        'Use proxy: "enhanced", give the headers or cookies of a visitor, or fetch more slowly; some sites need a residential proxy, which the operator sets with PROXY_ENHANCED_URL.',
      fixes: [
        { proxy: 'enhanced' },
        { proxy: 'enhanced', waitFor: 3000 },
        ...(mentions(facts, /mobile/i) ? [{ mobile: true }] : []),
      ],
    }
  },

  'login-redirect'(facts) {
    const landingUrl = stepsOf(facts, 'fetch').find(({ url }) => url !== undefined && loginUrl.test(url))?.url
    const isWall =
      /log in|sign in/i.test(lastVerdict(facts)?.reason ?? '') ||
      quotesWarning(facts, /asks its visitors to log in/)
    const isRefused = stepsOf(facts, 'fetch').some(({ status }) => status === 401)
    if (!landingUrl && !isWall && !isRefused) return undefined
    return {
      confidence: landingUrl || isWall ? 0.94 : 0.8,
      diagnosis: landingUrl
        ? `The site leads visitors who are not logged in to ${landingUrl.slice(0, 150)}.`
        : 'The page asks its visitors to log in.',
      advice:
        'Log in once in a browser session with a profile and scrape with that profile, or send the cookie or authorization of a session in headers.',
    }
  },

  'consent-wall'(facts) {
    const isWall = /consent|cookie/i.test(lastVerdict(facts)?.reason ?? '')
    const isShown = /cookie|consent|gdpr/i.test((facts.document?.markdown ?? '').slice(0, 1500))
    const isMentioned = mentions(facts, /cookies?\b|consent|gdpr|privacy (wall|banner|dialog)/i)
    const answered = stepsOf(facts, 'consent').length > 0
    if (!isWall && !(isMentioned && (isShown || answered))) return undefined
    const isOff = optionOf(facts, 'blockAds') === false
    return {
      confidence: isWall ? 0.92 : 0.84,
      diagnosis: 'The page shows a dialog that asks for consent to cookies in place of its content.',
      advice: isOff
        ? 'blockAds: false also leaves such dialogs unanswered; leave it out.'
        : 'Open the page in the browser, where dialogs are answered, or click the button of the dialog with an action.',
      fixes: [
        ...(isOff ? [{ blockAds: true }] : []),
        { blockAds: true, waitFor: 2000 },
        { blockAds: true, fastMode: false, waitFor: 5000 },
      ],
    }
  },

  robots(facts) {
    const { job } = facts
    const skipped = job?.pages?.skipped['robots.txt'] ?? 0
    const isDenied = failedWith(facts, 'CRAWL_DENIAL') !== undefined
    const hasNote = job?.pages?.notes.some((note) => /robots/.test(note)) === true
    if (!isDenied && skipped === 0 && !hasNote && !(mentions(facts, /robots/i) && job?.kind === 'crawl'))
      return undefined
    const isConfirmed = isDenied || skipped > 0 || hasNote
    // The robots.txt of the site is in the trace and allows the crawl.
    if (!isConfirmed && stepsOf(facts, 'robots').some(({ result }) => result === 'allowed')) return undefined
    if (optionOf(facts, 'ignoreRobotsTxt') === true) return undefined
    const completed = job?.pages?.completed ?? 0
    return {
      confidence: firstOf(
        [(isDenied || skipped > 0) && completed <= 1, 0.95],
        [skipped > completed, 0.85],
        [true, skipped > 0 ? 0.6 : 0.5],
      ),
      diagnosis: `The robots.txt of the site keeps crawlers out of ${skipped > 0 ? `${skipped} of the addresses that were found` : 'this page'}.`,
      advice:
        'If you may crawl the site, ignoreRobotsTxt: true goes on without asking; robotsUserAgent names another crawler whose rules are to be followed.',
      // Trials do not check robots.txt, so a trial shows no difference if robots.txt excluded no page.
      fixes: isConfirmed ? [{ ignoreRobotsTxt: true }] : [],
    }
  },

  'refused-address'(facts) {
    const isConfirmed = failedWith(facts, 'TARGET_FORBIDDEN') !== undefined
    const isMentioned = mentions(
      facts,
      /TARGET_FORBIDDEN|private (address|network|ip)|localhost|127\.0\.0\.1|192\.168\.|\b10\.\d|internal (host|site|network)|intranet/i,
    )
    if (!isConfirmed && !isMentioned) return undefined
    return {
      confidence: isConfirmed ? 0.97 : 0.7,
      diagnosis:
        'The address is private, local or reserved, and this service contacts no such addresses, so that nobody can reach the network behind it.',
      advice: 'The operator can allow an address or a range with ALLOW_PRIVATE_NETWORK.',
    }
  },
}

const maxNoticeLength = 1200

const gonePattern =
  /\b(?:no longer|not|n't)\b.{0,20}\b(?:available|exists?|found|here|online|offered|sold)\b|\b(?:was|were|been|is|are) (?:removed|deleted|discontinued|withdrawn|archived)\b|\bunavailable\b|\bexpired\b|nicht (?:mehr )?(?:gefunden|verfügbar|vorhanden|erhältlich)|introuvable|n'(?:existe|est) plus|plus disponible|no (?:se ha )?encontrad|ya no (?:está|existe)|non (?:è più )?(?:trovat|disponibil)|niet (?:meer )?(?:gevonden|beschikbaar)/i

function isGoneNotice(facts: SupportCase): boolean {
  const { page, document } = facts
  if (!page || page.error || (lastStep(facts, 'fetch')?.status ?? 200) >= 400) return false
  const text = document?.markdown ?? ''
  if (text === '' || text.length > maxNoticeLength) return false
  const headings = text.match(/^#{1,3} .{1,200}$/gm) ?? []
  return [...headings, String(document?.metadata?.title ?? '')].some((line) => gonePattern.test(line))
}

/** Returns the URL to which the site redirects a deep URL: its home page, or one page for several URLs. */
function findRedirectTarget(facts: SupportCase): string | undefined {
  const landingUrl = landingOf(facts.page)
  const requested = URL.parse(facts.page?.target ?? '')
  const landing = URL.parse(landingUrl ?? '')
  if (requested === null || landing === null || requested.pathname.length <= 3) return undefined
  const isLanding =
    homePath.test(landing.pathname) ||
    facts.children.some((child) => child.target !== facts.page?.target && landingOf(child) === landingUrl)
  return isLanding ? landingUrl?.slice(0, 150) : undefined
}

const homePath = /^\/(?:[a-z]{2}(?:[-_][a-z]{2})?\/?)?(?:index\.\w+|home|start|welcome)?\/?$/i

const landingOf = (page: SupportCase['page']) =>
  pageSteps(page, 'fetch').findLast(({ url }) => url !== undefined)?.url

const rejectionStatuses = new Set([401, 403, 407, 429, 451, 503])

const loginUrl =
  /[/?&=.](log-?in|sign-?in|sso|auth(entication|orize)?|account\/login|session\/new|anmelden|connexion)\b/i
