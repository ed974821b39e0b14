import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

interface Credentials {
  accessKeyId: string
  secretAccessKey: string
}

type RefusalCode = 'AccessDenied' | 'InvalidAccessKeyId' | 'SignatureDoesNotMatch'

/**
 * Returns why a request must be rejected, or undefined if its AWS signature (version 4, in the header) is correct.
 * The hash of the body is taken from the signed header and not verified.
 */
export function refusal(request: IncomingMessage, credentials: Credentials): RefusalCode | undefined {
  const match = authorization.exec(request.headers.authorization ?? '')?.groups
  if (!match) return 'AccessDenied'
  const { key, date = '', scope = '', names = '', signature } = match
  if (key !== credentials.accessKeyId) return 'InvalidAccessKeyId'
  const secret = `AWS4${credentials.secretAccessKey}`
  const signingKey = [date, ...scope.split('/')].reduce<string | Buffer>(sign, secret)
  const statement = [
    'AWS4-HMAC-SHA256',
    request.headers['x-amz-date'],
    `${date}/${scope}`,
    createHash('sha256').update(canonicalRequest(request, names)).digest('hex'),
  ].join('\n')
  return sign(signingKey, statement).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch'
}

const authorization =
  /^AWS4-HMAC-SHA256 Credential=(?<key>[^/]+)\/(?<date>\d{8})\/(?<scope>[^,]+), ?SignedHeaders=(?<names>[^,]+), ?Signature=(?<signature>[0-9a-f]{64})$/

function canonicalRequest(request: IncomingMessage, names: string) {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`)
  return [
    request.method,
    url.pathname
      .split('/')
      .map((segment) => encode(decodeURIComponent(segment)))
      .join('/'),
    [...url.searchParams]
      .map((pair) => pair.map(encode).join('='))
      .sort()
      .join('&'),
    headers.join(''),
    names,
    request.headers['x-amz-content-sha256'],
  ].join('\n')
}

function encode(text: string) {
  const percent = (letter: string) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`
  return encodeURIComponent(text).replace(/[!'()*]/g, percent)
}

function sign(key: string | Buffer, text: string) {
  return createHmac('sha256', key).update(text).digest()
}
