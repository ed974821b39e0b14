// This script is optional, because every page works without it.
const storageKey = 'winnow-example-language'

/** Selects the language in all code examples. */
function selectLanguage(language) {
  for (const input of document.querySelectorAll(`input[data-language="${CSS.escape(language)}"]`))
    input.checked = true
}

document.addEventListener('change', ({ target }) => {
  const { language } = target.dataset
  if (language === undefined) return
  localStorage.setItem(storageKey, language)
  selectLanguage(language)
})
selectLanguage(localStorage.getItem(storageKey) ?? '')

for (const block of document.querySelectorAll('pre')) {
  const text = block.textContent
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text)
    button.textContent = 'Copied'
    setTimeout(() => (button.textContent = 'Copy'), 1500)
  })
  block.append(button)
}

const searchInput = document.querySelector('input[type="search"]')
document.addEventListener('keydown', (event) => {
  const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  searchInput.focus()
})
