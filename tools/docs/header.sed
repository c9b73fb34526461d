# Names in inline functions end in an underscore, so that no macro of a program replaces them. The reference omits it.
/^ *(\*|\/\*)/!s/\b([a-z]([a-z0-9_]*[a-z0-9])?)_\b/\1/g
s/(@param(\[[a-z,]*\])? +[a-z0-9_]*[a-z0-9])_\b/\1/
