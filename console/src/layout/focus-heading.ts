/** Moves the focus to the page heading. Screen readers announce it, and Tab continues from there. */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('#content h1')
  heading?.setAttribute('tabindex', '-1')
  const target = heading ?? document.getElementById('content')
  target?.focus({ preventScroll: true })
}
