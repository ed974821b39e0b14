module.exports = { plugins: ['-sharing', '-fontsettings', '-search', '-lunr'], title: 'Skerry Manual' }
