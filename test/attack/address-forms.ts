/** Spellings of forbidden URLs. Each leads to the port of a server that no request may reach. */

export interface AddressForm {
  /** Name of the trick. */
  form: string
  url: string
}

/** Addresses of this machine, of private networks, of cloud metadata services, and reserved addresses. */
const privateAddresses = [
  ...['127.0.0.1', '127.0.0.2', '127.255.255.254', '0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.254'],
  ...['100.64.0.1', '100.100.100.200', '169.254.169.254', '169.254.170.2', '172.16.0.1', '172.31.255.254'],
  ...['192.0.0.192', '192.168.0.1', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
]

/** Returns every spelling of the addresses with a port. `addMarker` makes each request identifiable by its URL. */
export function addressForms(port: number): AddressForm[] {
  const hosts = privateAddresses.flatMap((address) => [...ipv4Forms(address), ...ipv6Forms(address)])
  const inUrls = [...hosts, ...plainIpv6, ...names].map(([form, host]) => ({
    form,
    url: `http://${host}:${port}/`,
  }))
  return [...inUrls, ...ambiguousForms(port)].map(({ form, url }, index) => ({
    form,
    url: addMarker(url, index),
  }))
}

function addMarker(url: string, index: number): string {
  return url.includes('?') || url.includes('#') ? url : `${url}?n=${index}`
}

type NamedHost = [form: string, host: string]

function ipv4Forms(address: string): NamedHost[] {
  const bytes = address.split('.').map(Number)
  const [a = 0, b = 0, c = 0, d = 0] = bytes
  const asNumber = ((a * 256 + b) * 256 + c) * 256 + d
  const octal = (value: number) => `0${value.toString(8)}`
  const hex = (value: number) => `0x${value.toString(16)}`
  const fullWidth = (text: string) =>
    text.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
  const enclosed = (text: string) =>
    text.replace(/\d/g, (digit) => (digit === '0' ? '⓪' : String.fromCodePoint(0x245f + Number(digit))))
  const percent = (text: string) =>
    [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
  return [
    ['dotted', address],
    ['dotted, with a dot at the end', `${address}.`],
    ['one number', String(asNumber)],
    ['one hexadecimal number', hex(asNumber)],
    ['one octal number', octal(asNumber)],
    ['octal bytes', bytes.map(octal).join('.')],
    ['octal bytes with zeros', bytes.map((value) => `000${octal(value)}`).join('.')],
    ['hexadecimal bytes', bytes.map(hex).join('.')],
    ['hexadecimal bytes with zeros', bytes.map((value) => `0x0000${value.toString(16)}`).join('.')],
    ['mixed', `${hex(a)}.${b}.${octal(c)}.${d}`],
    ['two parts', `${a}.${asNumber % 2 ** 24}`],
    ['three parts', `${a}.${b}.${asNumber % 2 ** 16}`],
    ['two hexadecimal parts', `${hex(a)}.${hex(asNumber % 2 ** 24)}`],
    ['full-width digits', fullWidth(address)],
    ['enclosed digits', enclosed(address)],
    ['ideographic full stops', address.replaceAll('.', '。')],
    ['percent-encoded', percent(address)],
    ['upper-case hexadecimal', `0X${asNumber.toString(16).toUpperCase()}`],
  ]
}

/** Returns IPv6 addresses that embed an IPv4 address: mapped, compatible, translated and tunnelled. */
function ipv6Forms(address: string): NamedHost[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const high = (a * 256 + b).toString(16)
  const low = (c * 256 + d).toString(16)
  const flipped = [high, low].map((part) => (0xffff ^ Number.parseInt(part, 16)).toString(16)).join(':')
  return [
    ['mapped', `[::ffff:${address}]`],
    ['mapped, in hexadecimal', `[::ffff:${high}:${low}]`],
    ['mapped, written out', `[0:0:0:0:0:ffff:${high}:${low}]`],
    ['mapped, in capitals', `[::FFFF:${high.toUpperCase()}:${low.toUpperCase()}]`],
    ['compatible', `[::${address}]`],
    ['compatible, in hexadecimal', `[::${high}:${low}]`],
    ['translated', `[::ffff:0:${address}]`],
    ['translated, in hexadecimal', `[::ffff:0:${high}:${low}]`],
    ['NAT64', `[64:ff9b::${address}]`],
    ['NAT64, in hexadecimal', `[64:ff9b::${high}:${low}]`],
    ['NAT64 of a network', `[64:ff9b:1::${address}]`],
    ['NAT64 of a network, inside', `[64:ff9b:1:${high}:${low}::]`],
    ['6to4', `[2002:${high}:${low}::1]`],
    ['Teredo server', `[2001:0:${high}:${low}::1]`],
    ['Teredo client', `[2001:0:c000:200::${flipped}]`],
    ['ISATAP', `[2606:4700:1:2:0:5efe:${address}]`],
    ['ISATAP of a public address', `[2606:4700:1:2:200:5efe:${high}:${low}]`],
  ]
}

const plainIpv6: NamedHost[] = [
  ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[0000::0001]', '[::0.0.0.1]', '[0::0]'],
  ...['[fc00::1]', '[fd00::2]', '[fd00:ec2::254]', '[fe80::1]', '[febf::1]', '[fec0::1]', '[ff02::1]'],
  ...['[100::1]', '[2001:db8::1]', '[2001:2::1]', '[2001:10::1]', '[3fff::1]', '[5f00::1]', '[4000::1]'],
  ...['[e000::1]', '[1::1]', '[fe80::1%25lo]', '[::1%25lo]', '[fe80::1%lo]', '[v1.127.0.0.1]'],
].map((host) => ['IPv6', host])

/** DNS zone of the test: addresses for names that end in `.test`. */
export const zone: Record<string, (lookup: number) => string[]> = {
  'loopback.test': () => ['127.0.0.1'],
  'loopback-six.test': () => ['::1'],
  'unspecified.test': () => ['0.0.0.0'],
  'private.test': () => ['10.0.0.1'],
  'metadata.test': () => ['169.254.169.254'],
  'mixed.test': () => ['93.184.216.34', '127.0.0.1'],
  'mixed-six.test': () => ['93.184.216.34', '::1'],
  'mapped.test': () => ['::ffff:7f00:1'],
  'translated.test': () => ['::ffff:0:7f00:1'],
  'nat64.test': () => ['64:ff9b::7f00:1'],
  'six-to-four.test': () => ['2002:7f00:1::1'],
  'isatap.test': () => ['2606:4700:1:2:0:5efe:7f00:1'],
  'local.test': () => ['fe80::1'],
  'nothing.test': () => [],
}

const names: NamedHost[] = [
  ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', 'local%68ost', 'loc\u00adalhost'],
  ...Object.keys(zone),
  ...Object.keys(zone).map((name) => `${name.toUpperCase()}.`),
].map((host) => ['name', host])

/**
 * Returns URLs that parsers interpret differently, URLs with a scheme that a scrape does not support, and URLs with a
 * blocked port.
 */
function ambiguousForms(port: number): AddressForm[] {
  const target = `127.0.0.1:${port}`
  const urls: Record<string, string[]> = {
    'name before an @': [
      ...[`http://a.example@${target}/`, `http://a.example:80@${target}/`, `http://a.example%40b@${target}/`],
      ...[
        `http://93.184.216.34@${target}/`,
        `http://user:pass@${target}/`,
        `http://@${target}/`,
        `http://:@${target}/`,
      ],
      ...[`http://a.example%00@${target}/`, `http://a.example%0d%0a@${target}/`, `http://a@b@${target}/`],
    ],
    backslashes: [
      ...[
        `http:\\\\${target}\\`,
        `http:/\\${target}/`,
        `http://${target}\\@93.184.216.34/`,
        `\\\\${target}\\`,
      ],
      ...[
        `http://${target}\\.a.example/`,
        `http:${target}/`,
        `http:/${target}/`,
        `http:///${target}/`,
        `http:////${target}/`,
      ],
    ],
    'white space': [
      ...[` http://${target}/`, `\thttp://${target}/`, `ht\ntp://${target}/`, `http://127.0.\t0.1:${port}/`],
      ...[
        `http://127.0.0.1\r\n:${port}/`,
        `http://\u00a0${target}/`,
        `http://${target}/ `,
        `\u0000http://${target}/`,
      ],
    ],
    'no scheme': [
      target,
      `${target}/`,
      `//${target}/`,
      `localhost:${port}`,
      `[::1]:${port}/`,
      `2130706433:${port}`,
    ],
    fragments: [
      `http://${target}#a.example`,
      `http://${target}/#@a.example/`,
      `http://${target}?@a.example/`,
    ],
    'other characters': [
      ...[`http://127。0。0。1:${port}/`, `http://127｡0｡0｡1:${port}/`, `http://127．0．0．1:${port}/`],
      ...[`http://127.0.0.1％2f:${port}/`, `http://①②⑦.⓪.⓪.①:${port}/`, `http://𝟏𝟐𝟕.𝟎.𝟎.𝟏:${port}/`],
    ],
    schemes: [
      ...['file:///etc/passwd', ' file:///etc/passwd', 'FILE:///etc/passwd', 'file://localhost/etc/passwd'],
      ...[
        `ftp://${target}/`,
        `gopher://${target}/_x`,
        `dict://${target}/x`,
        `ldap://${target}/`,
        `ws://${target}/`,
        `wss://${target}/`,
      ],
      ...[
        `view-source:http://${target}/`,
        'chrome://version',
        'about:blank',
        'javascript:1',
        'data:text/html,x',
      ],
      ...[
        `blob:http://${target}/x`,
        `jar:http://${target}/!/x`,
        `unix:/run/docker.sock`,
        `http+unix://%2frun%2fx/`,
      ],
      ...[
        `filesystem:http://${target}/temporary/x`,
        `devtools://devtools/bundled/`,
        `feed:http://${target}/`,
      ],
    ],
    ports: [22, 25, 53, 110, 6667, 10080].map((blocked) => `http://93.184.216.34:${blocked}/`),
  }
  return Object.entries(urls).flatMap(([form, list]) => list.map((url) => ({ form, url })))
}
