import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Signs the claims of a URL or a call. Self-contained tokens: every process that knows the secret can verify one, and none is stored. The secret is
 * loaded with the first token; if that fails, the next token tries again.
 */
export function tokenSigner(loadSecret: () => Promise<string>) {
  let secret: Promise<string> | undefined
  const known = () => {
    secret ??= loadSecret().catch((thrown) => {
      secret = undefined
      throw thrown
    })
    return secret
  }
  const sign = async (claim: string) =>
    createHmac('sha256', await known())
      .update(claim)
      .digest('base64url')
  return {
    sign,
    async isGenuine(claim: string, token: string): Promise<boolean> {
      const expected = Buffer.from(await sign(claim))
      const given = Buffer.from(token)
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}
