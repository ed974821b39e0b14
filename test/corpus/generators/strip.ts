/** Removes everything that is not part of the page structure: scripts, styles, SVG images and preload hints. */
export function strip(html: string): string {
  return html
    .replace(/(<script\b(?![^>]*ld\+json)[^>]*>)[\s\S]*?(<\/script>)/gi, '$1$2')
    .replace(/(<style\b[^>]*>)[\s\S]*?(<\/style>)/gi, '$1$2')
    .replace(/(<svg\b[^>]*>)[\s\S]*?(<\/svg>)/gi, '$1$2')
    .replace(/<link\b[^>]*rel="?(?:modulepreload|preload|prefetch|stylesheet|dns-prefetch)"?[^>]*>\s*/gi, '')
    .replace(/="data:[^"]{100,}"/g, '="data:image/gif;base64,R0lGODlhAQABAAAAACw="')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
}
