import { siteOf, urlsInText } from './allowed-sites.ts'
import { findSecrets, type Secrets } from './secrets.ts'

export type SecretSites = ReturnType<typeof sitesOfSecrets>

/**
 * A secret may be sent to the sites that its clause names. A clause that names none has the sites of the last
 * clause before it that names any, else the start sites, else the sites of the first clause after it.
 */
export function sitesOfSecrets(prompt: string, startUrls: readonly string[]) {
  const clauses = prompt
    .split(clauseEnd)
    .map((text) => ({ secrets: findSecrets(text), sites: getSites(urlsInText(text)) }))
  const first = clauses.find(({ sites }) => sites.length > 0)?.sites ?? []
  const startSites = getSites(startUrls)
  let currentSites = startSites.length > 0 ? startSites : first
  const entries: { secrets: Secrets; sites: readonly string[] }[] = []
  for (const { secrets, sites } of clauses) {
    if (sites.length > 0) currentSites = sites
    entries.push({ secrets, sites: currentSites })
  }
  // A secret that spans the end of a clause is only recognised in the entire prompt.
  const promptSecrets = findSecrets(prompt)
  const allSites = [...startSites, ...entries.flatMap(({ sites }) => sites)]
  entries.push({ secrets: promptSecrets, sites: allSites })
  return {
    refusal(text: string, url: string): string | undefined {
      const site = siteOf(url) ?? ''
      const forms = getDecodedForms(text)
      const isForOtherSite = entries.some(
        ({ secrets, sites }) => !sites.includes(site) && forms.some(secrets.hasSecret),
      )
      if (!isForOtherSite) return undefined
      return 'Refused: it has a secret of the user, who did not name it for this site.'
    },
    /** Returns true if a text that has no target site contains a secret. */
    hasSecret(text: string): boolean {
      // A task that mentions no credentials may be about a product with a name that is similar to a password.
      const { hasSecret, hasCertainSecret } = promptSecrets
      return getDecodedForms(text).some(credentialPattern.test(prompt) ? hasSecret : hasCertainSecret)
    },
  }
}

const credentialPattern =
  /pass|\bpin\b|token|\bkey\b|secret|log ?-?in|sign ?-?in|credential|\bcard\b|\bcode\b|account|kennwort|contraseña|mot de passe/i

const clauseEnd = /(?<=[.;!?\n])\s|\bthen\b/

const getSites = (addresses: readonly string[]) =>
  addresses.flatMap((address) => siteOf(address.replace(/\/\*$/, '')) ?? [])

const maxDecodedLength = 20_000

function getDecodedForms(text: string): string[] {
  if (text.length > maxDecodedLength) return [text]
  const decodedOnce = percentDecoded(text)
  const plain = [
    ...new Set([text, decodedOnce, percentDecoded(decodedOnce), decodedOnce.replaceAll('+', ' ')]),
  ]
  const hidden = plain.flatMap((form) => [...fromBase64(form), ...fromHex(form)])
  return [...plain, ...hidden, ...plain.map((form) => [...form].reverse().join(''))]
}

function percentDecoded(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (found) =>
    Buffer.from(found.replaceAll('%', ''), 'hex').toString(),
  )
}

/** Decodes base64 at four alignments, because the encoded text may begin at any character of a run. */
function fromBase64(text: string): string[] {
  const runs = text.match(/[\w+/-]{5,}/g) ?? []
  return runs.flatMap((run) => [0, 1, 2, 3].map((skip) => Buffer.from(run.slice(skip), 'base64').toString()))
}

function fromHex(text: string): string[] {
  const runs = text.match(/[0-9a-f]{8,}/gi) ?? []
  return runs.flatMap((run) => [0, 1].map((skip) => Buffer.from(run.slice(skip), 'hex').toString()))
}
