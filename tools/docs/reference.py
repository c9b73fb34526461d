#!/usr/bin/env python3
"""reference.py XML LOG: lists what is undocumented in the public headers, by Doxygen's XML output and its warnings.

A symbol is a function, macro, type, enumerator or struct member that is not between @cond and @endcond. Undocumented are: a
header without a @file comment; a symbol without a comment; a parameter of a function that has neither a @param nor its name in
backticks in the comment, unless the comment has no @param and refers to another function of the header whose parameters are
documented; a parameter of a macro without either, if others have a @param. Warnings in LOG, such as those about a @param that
is no parameter, count as well. The last line is the number of all.
"""
import glob
import os
import re
import sys
import xml.etree.ElementTree as ElementTree

SYMBOL = re.compile(r'\b(?:stn_|STN_|cblas_|CBLAS_)\w+\b')


def text_of(node):
    """The text of an element, with white space collapsed."""
    return ' '.join(''.join(node.itertext()).split()) if node is not None else ''


def parameter_items(node, kind):
    """The items of the lists of @param or @retval in a comment."""
    return [item for found in node.iter('parameterlist') if found.get('kind') == kind
            for item in found.findall('parameteritem')]


def returns_status(symbol):
    return symbol.kind == 'function' and text_of(symbol.node.find('type')) == 'stn_status'


class Symbol:
    """A symbol of a public header."""

    def __init__(self, node, header, kind=None, parent=None):
        self.node = node
        self.header = header  # steno/blas.h
        self.parent = parent
        self.kind = kind or node.get('kind')  # function, define, typedef, variable, enum, enumvalue, struct
        self.name = node.findtext('name') or node.findtext('compoundname')
        self.id = node.get('id')
        self.brief = node.find('briefdescription')
        self.detail = node.find('detaileddescription')
        location = node.find('location')
        self.line = int(location.get('line')) if location is not None else parent.line
        self.members = []  # of a struct, and the values of an enumeration
        self.parameters = [param.findtext('declname') or param.findtext('defname') or ''
                           for param in node.findall('param')]
        self.parameters = [name for name in self.parameters if name]

    def is_anonymous(self):
        return self.name.startswith('@')

    def is_documented(self):
        return bool(text_of(self.brief) or text_of(self.detail))

    def documented_parameters(self):
        return [text_of(name) for item in parameter_items(self.detail, 'param') for name in item.iter('parametername')]

    def undocumented_parameters(self):
        """The parameters without @param that the text does not name in backticks, either."""
        names = self.documented_parameters()
        for text in (self.brief, self.detail):
            names += [text_of(node) for node in (text.iter('computeroutput') if text is not None else [])]
        return [name for name in self.parameters if name not in names]

    def references(self):
        """The names of symbols in the comment."""
        return SYMBOL.findall(text_of(self.brief) + ' ' + text_of(self.detail))


class Header:
    def __init__(self, node):
        self.node = node
        self.name = node.find('location').get('file')
        self.id = node.get('id')
        self.brief = node.find('briefdescription')
        self.detail = node.find('detaileddescription')
        self.symbols = []

    def is_documented(self):
        return bool(text_of(self.brief) or text_of(self.detail))


class Reference:
    """All public headers with their symbols, in the order of the text."""

    def __init__(self, headers):
        self.headers = headers
        self.symbols = [symbol for header in headers for symbol in header.symbols]
        self.by_name = {}
        for symbol in self.symbols:
            for each in [symbol] + (symbol.members if symbol.kind == 'enum' else []):
                self.by_name.setdefault(each.name, each)

    def urls(self):
        """The address of each documented symbol on the site."""
        urls = {}
        for name, symbol in self.by_name.items():
            page, _, anchor = symbol.id.rpartition('_1')
            urls[name] = '%s.html' % symbol.id if symbol.kind == 'struct' else '%s.html#%s' % (page, anchor)
        return urls

    def family_of(self, symbol):
        """The function whose comment documents the parameters of this one, too."""
        if symbol.kind not in ('function', 'define') or symbol.documented_parameters() or \
                not symbol.undocumented_parameters():
            return None
        for name in symbol.references():
            other = self.by_name.get(name)
            if other is not None and other.kind == symbol.kind and other.header == symbol.header and \
                    not other.undocumented_parameters():
                return other
        return None


def load_struct(folder, refid):
    node = ElementTree.parse(os.path.join(folder, refid + '.xml')).getroot().find('compounddef')
    symbol = Symbol(node, node.find('location').get('file'), kind='struct')
    symbol.members = [Symbol(member, symbol.header, parent=symbol) for member in node.iter('memberdef')]
    return symbol


def load(folder):
    """The reference in Doxygen's XML output."""
    headers = []
    for path in sorted(glob.glob(os.path.join(folder, '*_8h.xml'))):
        node = ElementTree.parse(path).getroot().find('compounddef')
        if node.get('kind') != 'file' or not node.find('location').get('file').startswith('steno/'):
            continue
        header = Header(node)
        for inner in node.findall('innerclass'):
            header.symbols.append(load_struct(folder, inner.get('refid')))
        for member in node.iter('memberdef'):
            symbol = Symbol(member, header.name)
            symbol.members = [Symbol(value, header.name, kind='enumvalue', parent=symbol)
                              for value in member.findall('enumvalue')]
            header.symbols.append(symbol)
        header.symbols.sort(key=lambda symbol: symbol.line)
        headers.append(header)
    return Reference(headers)


def failures_of(symbol, reference):
    """Sentences about what is undocumented in a symbol."""
    if not symbol.is_documented() and not symbol.is_anonymous():
        yield '%s has no comment' % symbol.name
    elif symbol.documented_parameters() or symbol.kind == 'function' and not reference.family_of(symbol):
        for name in symbol.undocumented_parameters():
            yield '%s does not document %s' % (symbol.name, name)
    for member in symbol.members:
        is_only = symbol.is_anonymous() and len(symbol.members) == 1  # the comment of its enumeration is its own
        if not member.is_documented() and not (is_only and symbol.is_documented()):
            yield '%s of %s has no comment' % (member.name, symbol.name)


def main():
    reference = load(sys.argv[1])
    with open(sys.argv[2], encoding='utf-8') as file:
        warnings = sorted({line.rstrip().replace(os.getcwd() + '/', '') for line in file if not line.startswith(' ')})
    total = len(warnings)
    for header in reference.headers:
        failures = [] if header.is_documented() else [(1, 'the header has no @file comment')]
        failures += [(symbol.line, text) for symbol in header.symbols for text in failures_of(symbol, reference)]
        total += len(failures)
        if failures:
            print('%s: %d' % (header.name, len(failures)))
        for line, text in failures:
            print('  include/%s:%d: %s' % (header.name, line, text))
    for warning in warnings:
        print(warning)
    print(total)


if __name__ == '__main__':
    main()
