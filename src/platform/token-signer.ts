import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Creates a signer for the claims of a URL or a call. Tokens are self-contained: every process that has the secret can
 * verify them, and none is stored. The secret is loaded for the first token. If that fails, it is loaded again for the
 * next token.
 */
export function createTokenSigner(loadSecret: () => Promise<string>) {
  let secret: Promise<string> | undefined
  const getSecret = () => {
    secret ??= loadSecret().catch((thrown) => {
      secret = undefined
      throw thrown
    })
    return secret
  }
  const sign = async (claim: string) =>
    createHmac('sha256', await getSecret())
      .update(claim)
      .digest('base64url')
  return {
    sign,
    async verify(claim: string, token: string): Promise<boolean> {
      const expected = Buffer.from(await sign(claim))
      const actual = Buffer.from(token)
      return actual.length === expected.length && timingSafeEqual(actual, expected)
    },
  }
}
