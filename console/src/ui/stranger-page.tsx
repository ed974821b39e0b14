/** Nothing may be loaded or run: styles of the page itself, and pictures that are part of it. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

/** The HTML of strangers, shut in: no script, no form, no request, no access to this page. */
export function StrangerPage({ html, title }: { html: string; title: string }) {
  const inside = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}"><base target="_blank">${html}`
  return <iframe className="stranger" title={title} sandbox="" srcDoc={inside} referrerPolicy="no-referrer" />
}
