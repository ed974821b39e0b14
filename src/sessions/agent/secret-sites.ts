import { siteOf, urlsInText } from './allowed-sites.ts'
import { type Secrets, secretsIn } from './secrets.ts'

/** The sites that the secrets of a prompt may be sent to. */
export interface SecretSites {
  /** The reason why this text is not sent to this URL; undefined if it may be. Texts may be encoded. */
  refusal(text: string, url: string): string | undefined
  /** Whether a text that goes to no site in particular has a secret. */
  areIn(text: string): boolean
}

/**
 * A secret belongs to the sites that its clause names; else to the site that was named last before it, else to those that the
 * task begins on, else to the first that is named after it.
 */
export function sitesOfSecrets(prompt: string, startUrls: readonly string[]): SecretSites {
  const clauses = prompt
    .split(clauseEnd)
    .map((text) => ({ secrets: secretsIn(text), sites: sitesOf(urlsInText(text)) }))
  const first = clauses.find(({ sites }) => sites.length > 0)?.sites ?? []
  const begins = sitesOf(startUrls)
  let last = begins.length > 0 ? begins : first
  const owned: { secrets: Secrets; sites: readonly string[] }[] = []
  for (const { secrets, sites } of clauses) {
    if (sites.length > 0) last = sites
    owned.push({ secrets, sites: last })
  }
  // A secret that two clauses share, or that the end of a clause cuts, is recognised in the whole prompt.
  const all = secretsIn(prompt)
  owned.push({
    secrets: all,
    sites: [...new Set([...begins, ...owned.flatMap(({ sites }) => sites)])],
  })
  return {
    refusal(text, url) {
      const site = siteOf(url) ?? ''
      const forms = formsOf(text)
      const isForeign = owned.some(
        ({ secrets, sites }) => !sites.includes(site) && forms.some((form) => secrets.isIn(form)),
      )
      return isForeign
        ? 'Refused: it has a secret of the user, who did not name it for this site.'
        : undefined
    },
    areIn(text) {
      // A task that mentions no credentials may be about a product whose name looks like a password.
      const has = credential.test(prompt) ? all.isIn : all.isSurelyIn
      return formsOf(text).some(has)
    },
  }
}

const credential =
  /pass|\bpin\b|token|\bkey\b|secret|log ?-?in|sign ?-?in|credential|\bcard\b|\bcode\b|account|kennwort|contraseña|mot de passe/i

/** Ends of sentences and the word that joins two steps. */
const clauseEnd = /(?<=[.;!?\n])\s|\bthen\b/

const sitesOf = (addresses: readonly string[]) => [
  ...new Set(
    addresses.map((address) => siteOf(address.replace(/\/\*$/, ''))).filter((site) => site !== undefined),
  ),
]

/** Longer texts are looked at as they are, and not decoded. */
const maxDecodedLength = 20_000

/** A text as it is, and as percent encoding, base64, hexadecimal digits or a text in reverse would hide it. */
function formsOf(text: string): string[] {
  if (text.length > maxDecodedLength) return [text]
  const once = percentDecoded(text)
  const plain = [...new Set([text, once, percentDecoded(once), once.replaceAll('+', ' ')])]
  const hidden = plain.flatMap((form) => [...fromBase64(form), ...fromHex(form)])
  return [...plain, ...hidden, ...plain.map((form) => [...form].reverse().join(''))]
}

function percentDecoded(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (found) =>
    Buffer.from(found.replaceAll('%', ''), 'hex').toString(),
  )
}

/** The encoded text may begin at any character of a run: four alignments show each of them. */
function fromBase64(text: string): string[] {
  const runs = text.match(/[\w+/-]{5,}/g) ?? []
  return runs.flatMap((run) => [0, 1, 2, 3].map((skip) => Buffer.from(run.slice(skip), 'base64').toString()))
}

function fromHex(text: string): string[] {
  const runs = text.match(/[0-9a-f]{8,}/gi) ?? []
  return runs.flatMap((run) => [0, 1].map((skip) => Buffer.from(run.slice(skip), 'hex').toString()))
}
