import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { withoutPlaces } from '../../base/without-places.ts'
import { evaluateApart } from '../../browser/evaluate-apart.ts'

/** What stands on a page instead of what an action looked for. */
export interface FoundInstead {
  /** Elements that match the selector. */
  matches: number
  title: string
  /** Some of what can be clicked or filled in. */
  elements: string[]
}

/** Undefined where the page does not answer in time. */
async function lookAt(page: Page, selector: string, mostMs: number): Promise<FoundInstead | undefined> {
  const look = async () => ({
    matches: await page.locator(selector).count(),
    ...(await evaluateApart(page, elementsOf, mostElements)),
  })
  const late = new AbortController()
  try {
    return await Promise.race([look(), sleep(mostMs, undefined, { signal: late.signal })])
  } catch {
    // A page that is going away, or a selector that is none: the reason of the failure says so.
    return undefined
  } finally {
    late.abort()
  }
}

const mostElements = 8

/** Runs in the page. */
function elementsOf(most: number): { title: string; elements: string[] } {
  const wanted = document.querySelectorAll('button, a[href], input, select, textarea, [role="button"]')
  const elements: string[] = []
  for (const element of Array.from(wanted).slice(0, 200)) {
    if (elements.length >= most) break
    if (!element.checkVisibility()) continue
    const classes = Array.from(element.classList).slice(0, 2)
    const id = element.id === '' ? classes.map((name) => `.${name}`).join('') : `#${element.id}`
    const text = (element.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 30)
    const name = `${element.localName}${id}`.slice(0, 80)
    elements.push(text === '' ? name : `${name} "${text}"`)
  }
  return { title: document.title.slice(0, 100), elements }
}

/** Why an action failed, and what was there instead of the element it was meant for, as far as time allows. */
export async function explainFailure(
  page: Page,
  { thrown, selector, mostMs }: { thrown: unknown; selector: string | undefined; mostMs: number },
): Promise<{ reason: string; found?: FoundInstead }> {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  // The driver's messages go on with a log of its own; the first line says what happened.
  const said = withoutPlaces(message.split('\n')[0] ?? '')
  const found = selector === undefined ? undefined : await lookAt(page, selector, mostMs)
  if (!found) return { reason: said }
  if (found.matches > 0) {
    const obstacle = obstacles.find((words) => message.includes(words))
    const why = obstacle === undefined ? said : `the first of them ${obstacleText(obstacle)}`
    return { reason: `${found.matches} found, but ${why}`, found }
  }
  const there = found.elements.length === 0 ? 'nothing to click or fill in' : found.elements.join(', ')
  return { reason: `no element matches; the page "${found.title}" has ${there}`, found }
}

/** What the log of the driver says of an element that is there and cannot be used. */
const obstacles = [
  'intercepts pointer events',
  'not visible',
  'not enabled',
  'not stable',
  'outside of the viewport',
]

function obstacleText(obstacle: string): string {
  return obstacle.startsWith('intercepts') ? 'is covered by another element' : `is ${obstacle}`
}
