# Completion of tenant-sync in fish. To load it, add this line to ~/.config/fish/config.fish:
#   tenant-sync completion fish | source
function __tenant_sync_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    command $before[1] completion fish -- $before[2..-1] "$current" 2>/dev/null
end
complete -c tenant-sync -a '(__tenant_sync_complete)'
