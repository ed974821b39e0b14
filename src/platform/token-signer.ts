import { createHmac, timingSafeEqual } from 'node:crypto'

/** Every process that has the secret can verify a token. After a failed load, the next token loads it again. */
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
