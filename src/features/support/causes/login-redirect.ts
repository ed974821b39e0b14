import { defineCause } from '../cause.ts'
import { lastVerdict, stepsOf, warnsOf } from '../support-case.ts'

const loginAddress =
  /[/?&=.](log-?in|sign-?in|sso|auth(entication|orize)?|account\/login|session\/new|anmelden|connexion)\b/i

export const loginRedirect = defineCause({
  name: 'login-redirect',
  find(facts) {
    const landed = stepsOf(facts, 'fetch').find(({ url }) => url !== undefined && loginAddress.test(url))?.url
    const isWall =
      /log in|sign in/i.test(lastVerdict(facts)?.reason ?? '') ||
      warnsOf(facts, /asks its visitors to log in/)
    const isRefused = stepsOf(facts, 'fetch').some(({ status }) => status === 401)
    if (!landed && !isWall && !isRefused) return undefined
    return {
      sureness: landed || isWall ? 0.94 : 0.8,
      diagnosis: landed
        ? `The site leads visitors who are not logged in to ${landed.slice(0, 150)}.`
        : 'The page asks its visitors to log in.',
      advice:
        'Log in once in a browser session with a profile and scrape with that profile, or send the cookie or authorization of a session in headers.',
    }
  },
})
