#!/usr/bin/env python3
"""pages.py FOLDER: writes the Markdown pages of the source tree and a list of the examples as Doxygen input.

Headings get the labels that GitHub gives them. Links to pages, headings, headers and examples are replaced by links to the
corresponding page of the site; other files of the tree are copied next to the pages. Prints each link that leads
nowhere, and then exits with status 1. Without FOLDER, only the links are checked.
"""
import os
import re
import shutil
import subprocess
import sys

FENCE = re.compile(r'^\s*(```+|~~~+)')
HEADING = re.compile(r'^(#{1,6})\s+(.*?)\s*#*$')
LINK = re.compile(r'(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)')
CODE = re.compile(r'(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)')
EXAMPLE = re.compile(r'^examples/.*\.(c|cpp|cu|cl|h|k)$')
TITLES = {'README.md': None, 'doc/README.md': 'documentation'}  # the main page has no label


def tracked_files():
    listing = subprocess.run(['git', 'ls-files', '-co', '--exclude-standard'], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, universal_newlines=True, check=False)
    names = listing.stdout.split('\n') if listing.returncode == 0 else [
        os.path.relpath(os.path.join(folder, name)) for folder, _, names in os.walk('.') for name in names if not folder.startswith('./build')]
    return sorted({name for name in names if os.path.isfile(name)})


def label_of(path):
    """The name of a page: solver of doc/solver.md, results-bounds of doc/results/bounds.md."""
    if path in TITLES:
        return TITLES[path] or 'index'
    name = re.sub(r'^doc/|\.md$', '', path).lower().replace('/', '-')
    return re.sub(r'-readme$', '', name)


def slug_of(heading):
    """The anchor that GitHub derives from a heading."""
    text = LINK.sub(r'\2', heading).replace('`', '').lower()
    return re.sub(r'[^\w\- ]', '', text).replace(' ', '-')


def doxygen_name(path):
    """The name of the HTML page of a header or an example, without its suffix."""
    if path.startswith('examples/'):
        return path[len('examples/'):].replace('/', '_2').replace('.', '_8')
    return os.path.basename(path).replace('_', '__').replace('.', '_8')


class Page:
    """A Markdown file with the labels of its headings."""

    def __init__(self, path):
        self.path = path
        with open(path, encoding='utf-8') as file:
            self.lines = file.read().split('\n')
        self.title = path
        self.slugs = {}  # line number -> slug
        used = {}
        for number, line in self.text_lines():
            match = HEADING.match(line)
            if not match:
                continue
            if not used:
                self.title = match.group(2).replace('`', '')
            slug = slug_of(match.group(2))
            count = used.get(slug, 0)
            used[slug] = count + 1
            self.slugs[number] = slug if count == 0 else '%s-%d' % (slug, count)

    def text_lines(self):
        """The lines outside of code blocks, with their indices."""
        fence = None
        for number, line in enumerate(self.lines):
            match = FENCE.match(line)
            if match and fence is None:
                fence = match.group(1)
            elif match and line.strip().startswith(fence):
                fence = None
            elif fence is None:
                yield number, line


class Site:
    """All pages, and where each file of the tree is on the site."""

    def __init__(self, folder):
        self.folder = folder
        self.files = set(tracked_files())
        self.folders = {os.path.dirname(name) for name in self.files}
        self.folders |= {os.path.dirname(name) for name in self.folders}
        self.all = {name: Page(name) for name in self.files if name.endswith('.md')}
        self.pages = {name: page for name, page in self.all.items()
                      if name.startswith('doc/') or '/' not in name}
        self.examples = sorted(name for name in self.files if EXAMPLE.match(name))
        self.failures = []

    def fail(self, page, number, message):
        self.failures.append('%s:%d: %s' % (page.path, number + 1, message))

    def anchor(self, page, number, target, slug):
        """The anchor of a heading of the page `target` on the site."""
        slugs = list(self.all[target].slugs.values())
        if slug not in slugs:
            self.fail(page, number, '%s has no heading #%s' % (target, slug))
        elif slugs.index(slug) == 0:
            return ''  # the title
        return '#%s-%s' % (label_of(target), slug)

    def url(self, page, number, link):
        """The address on the site of a link of a page; None if the file is not part of it."""
        if re.match(r'[a-z]+:', link):
            return link
        path, _, slug = link.partition('#')
        target = os.path.normpath(os.path.join(os.path.dirname(page.path), path)) if path else page.path
        if target in self.folders:
            return 'examples.html' if target == 'examples' else None
        if target not in self.files:
            self.fail(page, number, 'there is no file %s' % target)
            return None
        if target in self.pages:
            anchor = self.anchor(page, number, target, slug) if slug else ''
            return '%s.html%s' % (label_of(target), anchor)
        if slug and target in self.all:
            self.anchor(page, number, target, slug)
        if re.match(r'include/steno/[^/]*\.h$', target):
            return '%s.html' % doxygen_name(target)
        if target in self.examples:
            return '%s-example.html' % doxygen_name(target)
        return self.copy(target)

    def copy(self, target):
        if self.folder:
            copied = os.path.join(self.folder, 'files', target)
            os.makedirs(os.path.dirname(copied), exist_ok=True)
            shutil.copyfile(target, copied)
        return 'files/' + target

    def replace_link(self, page, number, match):
        image, text, link = match.groups()
        url = self.url(page, number, link)
        target = os.path.normpath(os.path.join(os.path.dirname(page.path), link.partition('#')[0]))
        if image:
            return '<img src="%s" alt="%s"/>' % (url, text)
        if target in self.pages and text.strip('`') == os.path.basename(target) != 'README.md':
            text = self.pages[target].title
        if page.path.count('/') > 1 and page.path.endswith('/README.md') and link in os.listdir(
                os.path.dirname(page.path)) and target in self.pages:  # pages of a folder are below its README.md
            return '@subpage %s "%s"' % (label_of(target), text)
        return text if url is None else '[%s](%s)' % (text, url)

    def replace_text(self, page, number, line):
        """A line outside of code blocks: links, and characters that only Doxygen gives a meaning."""
        codes = []

        def hide(match):
            codes.append('``%s``' % match.group(2) if "'" in match.group(2) else match.group(0))
            return '\0%d\0' % (len(codes) - 1)

        line = CODE.sub(hide, line)
        line = re.sub(r'(?<!\\)@', r'\@', line)
        line = LINK.sub(lambda match: self.replace_link(page, number, match), line)
        return re.sub('\0(\\d+)\0', lambda match: codes[int(match.group(1))], line)

    def convert(self, page):
        """The page as Doxygen input."""
        lines = list(page.lines)
        label = label_of(page.path)
        for number, line in page.text_lines():
            line = self.replace_text(page, number, line)
            slug = page.slugs.get(number)
            if slug is not None:
                line = line.replace('`', '')
                name = '%s-%s' % (label, slug) if number > min(page.slugs) else label
                line += ' {#%s}' % ('mainpage' if name == 'index' else name)
            lines[number] = line
        text = '\n'.join(lines)
        # In a code block, Doxygen would obey an @endcode.
        return re.sub(r'^```[a-z]*\n((?:(?!```).*\n)*?.*@endcode(?:.*\n)*?)```$', r'@verbatim\n\1@endverbatim', text, flags=re.M)

    def example_list(self):
        """Doxygen comments for the examples, with the comment at the beginning of each."""
        for name in self.examples:
            with open(name, encoding='utf-8') as file:
                text = file.read()
            match = re.match(r'\s*/\*+(.*?)\*/', text, re.S)
            about = re.sub(r'\n\s*\* ?', '\n', match.group(1)).strip() if match else ''
            yield '/** @example %s\n%s */\n' % (name[len('examples/'):], re.sub(r'([@\\])', r'\\\1', about))

    def in_order(self):
        """The pages in the order in which doc/README.md lists them; Doxygen sorts them by file name."""
        first = ['README.md', 'doc/README.md']
        for _, line in self.pages['doc/README.md'].text_lines() if 'doc/README.md' in self.pages else ():
            first += ['doc/' + match.group(3) for match in LINK.finditer(line)]
        names = [name for name in first if name in self.pages] + sorted(self.pages)
        return [self.pages[name] for name in dict.fromkeys(names)]

    def write(self):
        for number, page in enumerate(self.in_order()):
            name = '%03d-%s.md' % (number, label_of(page.path))
            with open(os.path.join(self.folder, name), 'w', encoding='utf-8') as file:
                file.write(self.convert(page))
        with open(os.path.join(self.folder, 'examples.dox'), 'w', encoding='utf-8') as file:
            file.writelines(self.example_list())

    def check(self):
        """Looks at the links of all pages, those outside of the site included."""
        for page in self.all.values():
            for number, line in page.text_lines():
                for match in LINK.finditer(CODE.sub('', line)):
                    self.url(page, number, match.group(3))


def main():
    site = Site(sys.argv[1] if len(sys.argv) > 1 else None)
    if site.folder:
        site.write()
        site.failures.clear()
    site.check()
    print('\n'.join(site.failures), end='\n' if site.failures else '')
    return 1 if site.failures else 0


if __name__ == '__main__':
    sys.exit(main())
